// The newest reading of each type of a patient: which reports there is data for, and in which unit the patient measures.
import type { RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import type { ScreenProps } from '../../screen.ts'

export type NewestByType = ReadonlyMap<string, StoredReading>

export type ReportProps = ScreenProps & { newest: NewestByType }

export async function newestByType(
  rounds: RoundsClient,
  patientUid: string,
  signal: AbortSignal,
): Promise<NewestByType> {
  const { data } = await rounds.latestReadings({ patientUid }, { signal })
  return new Map(data.map((reading) => [reading.readingType, reading]))
}
