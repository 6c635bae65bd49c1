import type { Grant, RoundsClient } from '../../../../typescript/src/client.ts'

/** All grants of the patient, in force or not, the newest change first. */
export async function grantsOfPatient(
  rounds: Pick<RoundsClient, 'grants'>,
  patientUid: string,
  signal: AbortSignal,
): Promise<Grant[]> {
  const grants: Grant[] = []
  for await (const grant of rounds.grants.each({ patientUid }, { signal })) grants.push(grant)
  return grants.toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt))
}
