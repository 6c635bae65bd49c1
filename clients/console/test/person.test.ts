import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personOf } from '../src/session/person.ts'
import './words.ts'

const tokenOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
const of = (claims: object, profile = {}, rights = {}) => personOf(tokenOf(claims), profile, rights)

test('a patient, a carer and staff are known by their tokens', () => {
  assert.deepEqual(of({ sub: 'ada', patientUid: 'patient-1' }, { name: 'Ada Exämple' }), {
    name: 'Ada Exämple',
    subject: 'ada',
    patientUids: ['patient-1'],
    isStaff: false,
  })
  assert.deepEqual(of({ sub: 'robin', patientUid: ['child-1', 'child-2'] }).patientUids, [
    'child-1',
    'child-2',
  ])
  const staff = of({ sub: 'w', scope: 'openid readings:read' })
  assert.deepEqual([staff.isStaff, staff.patientUids], [true, []])
})

test('a doctor is known by the claim that the server names', () => {
  assert.equal(of({ sub: 'r', doctorId: 'rowan' }).doctorId, 'rowan')
  assert.equal(of({ sub: 'r', doctorId: 'rowan', did: 'ash' }, {}, { doctorClaim: 'did' }).doctorId, 'ash')
  for (const doctorId of ['', 7, ['a'], null]) assert.equal('doctorId' in of({ sub: 'r', doctorId }), false)
})

test('claims and scopes are called as the server says', () => {
  const rights = { patientClaim: 'pid', staffScope: 'all' }
  const person = of({ sub: 'x', pid: 'p', patientUid: 'other', scp: ['all'] }, {}, rights)
  assert.deepEqual([person.patientUids, person.isStaff], [['p'], true])
})

test('a token that cannot be read names nobody', () => {
  for (const token of ['', 'opaque', 'a.b.c', `a.${btoa('[]')}.c`, `a.${btoa('null')}.c`])
    assert.deepEqual(personOf(token, {}, {}), {
      name: '',
      subject: '',
      patientUids: [],
      isStaff: false,
    })
})
