// From where an issuer's keys may come: https, or this machine, or what the operator vouches for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readServeConfig } from '../../src/config/config.ts'

test('an issuer by http beyond this machine is refused at the start, unless that is allowed', () => {
  const settings = { DATABASE_URL: 'postgres://nowhere', AUTH_AUDIENCE: 'rounds' }
  const read = (more: Record<string, string>) => () => readServeConfig({ ...settings, ...more })
  const elsewhere = ['http://id.example', 'http://10.0.0.1', 'HTTP://id.example', 'http://localhost.example']
  const here = [
    'http://localhost:8081/realms/x',
    'http://127.0.0.1',
    'http://127.1',
    'http://[::1]:80/',
    'https://id.example',
  ]
  for (const address of elsewhere) {
    assert.throws(read({ AUTH_ISSUER: address }), /^ {2}AUTH_ISSUER must begin with https:/m)
    assert.throws(read({ AUTH_ISSUER: `https://id.example,${address}` }), /AUTH_ISSUER must begin with/)
    const keys = { AUTH_ISSUER: 'https://id.example', AUTH_JWKS_URL: address }
    assert.throws(read(keys), /^ {2}AUTH_JWKS_URL must begin with https:/m)
    assert.equal(read({ ...keys, AUTH_ALLOW_HTTP: 'true' })().auth.jwksUrl, address)
    assert.deepEqual(read({ AUTH_ISSUER: address, AUTH_ALLOW_HTTP: 'true' })().auth.issuers, [address])
  }
  for (const address of here) assert.deepEqual(read({ AUTH_ISSUER: address })().auth.issuers, [address])
  assert.throws(
    read({ AUTH_ISSUER: 'http://id.example', AUTH_ALLOW_HTTP: 'yes', AUTH_TOKEN_TYPE: 'jwt' }),
    /AUTH_ALLOW_HTTP must be true or false\.\n {2}AUTH_TOKEN_TYPE must be at\+jwt, or left out\.\n {2}AUTH_ISSUER must begin/,
  )
})
