// Answers of an invented operation, against the document that describes it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFaultsOf } from './check-answer.ts'

const text = { type: 'string' }
const faultsOf = createFaultsOf({
  paths: {
    '/care/rooms/list': {
      get: {
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { data: { items: { $ref: '#/components/schemas/Room' } } },
                },
              },
              'text/csv': {},
            },
          },
          304: {},
        },
      },
    },
  },
  components: {
    schemas: {
      Room: {
        type: 'object',
        required: ['name'],
        properties: { name: text, beds: { type: 'object', properties: {}, additionalProperties: true } },
        allOf: [{ properties: { name: { minLength: 1 } } }],
      },
      Error: { type: 'object', required: ['code'], properties: { code: text } },
    },
  },
})

/** What is wrong with the answer to GET /care/rooms/list, or to another request. */
function faults(
  json: object | string,
  { status = 200, type = 'application/json', path = '/care/rooms/list' } = {},
) {
  const body = typeof json === 'string' ? json : JSON.stringify(json)
  const headers = new Headers({ 'content-type': `${type}; charset=utf-8` })
  return faultsOf({ method: 'GET', path }, { status, headers, text: body, json })
}

const room = (fields: object) => ({ data: [{ name: 'ward', beds: {}, ...fields }] })

test('an answer as the document describes it has no faults', () => {
  assert.equal(faults(room({ beds: { any: 1 } })), '')
  assert.equal(faults({ data: [{ name: 'hall' }] }), '')
  assert.equal(faults('name\r\nward\r\n', { type: 'text/csv' }), '')
  assert.equal(faults('', { type: 'text/csv' }), '')
  assert.equal(faults('', { status: 304 }), '')
})

test('a field that the contract does not name is a fault, at any depth', () => {
  const named = 'is not named by the contract'
  assert.equal(faults({ data: [], more: 1 }), `get /care/rooms/list 200 /more: ${named}`)
  assert.equal(faults(room({ floor: 1 })), `get /care/rooms/list 200 /data/0/floor: ${named}`)
})

test('so is a field that is missing or has another type; the message holds no value', () => {
  const at = 'get /care/rooms/list 200 /data/0'
  assert.equal(faults({ data: [{}] }), `${at}: must have required property 'name'`)
  assert.match(
    faults(room({ name: '' })),
    /^get .* 200 \/data\/0\/name: must NOT have fewer than 1 characters$/,
  )
  assert.equal(faults(room({ name: 71 })), `${at}/name: must be string`)
})

test('so is a status, a content, or a lack of it that the operation does not document', () => {
  const name = 'get /care/rooms/list'
  assert.equal(faults({ code: 'X' }, { status: 418 }), `${name} 418: is no status of the operation`)
  assert.equal(faults('x', { type: 'text/html' }), `${name} 200: text/html is no content of the answer`)
  assert.equal(faults('', {}), `${name} 200: has no content`)
})

test('what is refused before any operation is found has the shape of errors', () => {
  assert.equal(faults({ code: 'NotFound' }, { status: 404 }), '')
  assert.equal(faults({ code: 'NotFound' }, { status: 404, path: '/nowhere' }), '')
  assert.equal(
    faults({ code: 'NotFound', hint: 'x' }, { status: 404, path: '/nowhere' }),
    'get /nowhere 404 /hint: is not named by the contract',
  )
})
