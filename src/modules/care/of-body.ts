// Of a request whose whole meaning is in its body: how it is checked.
import { mustHaveNoQuery } from '../../http/json/validation.ts'
import { compileBodyValidator } from '../casesheet/withdraw/withdraw-reading.ts'

export const OF_BODY = {
  validatorCompiler: compileBodyValidator,
  onRequest: async (request: { query: unknown }) => mustHaveNoQuery(request),
}
