// OpenAPI document on stdin → its TypeScript types on stdout. Runs with the TypeScript of this folder, see package.json.
import { text } from 'node:stream/consumers'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const types = await openapiTypescript(JSON.parse(await text(process.stdin)), {
  alphabetize: true,
  // `not: {}` is a field that must be left out; openapi-typescript knows no word for it and would print `unknown`.
  transform: (schema) =>
    schema.not && Object.keys(schema.not).length === 0
      ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword)
      : undefined,
})
// `paths` says again what `operations` says, and the others are empty.
const used = types.filter(({ name }) => name.text === 'components' || name.text === 'operations')
process.stdout.write(astToString(used))
