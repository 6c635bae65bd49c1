import type { Caller } from '../../../http/tokens/tokens.ts'
import { mayReadOthers } from '../../casesheet/access.ts'
import { refuseParameter } from './search-query.ts'

/** In the words of the parameter; a caller who may read no one is refused as such later. */
export function mustMeanOnePatient(caller: Caller, parameter = 'patient') {
  const { length } = caller.patientUids
  if (length > 1 || (length === 0 && mayReadOthers(caller))) {
    throw refuseParameter(parameter, 'is required unless the token names exactly one patient')
  }
}
