// The cards against the targets of the patient: their order, what each says, and the sentence above them.
import { useCallback, useState } from 'preact/hooks'
import type { StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { setText } from '../../care/target-text.ts'
import type { useTargets } from '../../care/targets.ts'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { type Attention, byAttention } from './attention.ts'
import { isCompared, largestChange, type MonthOfType } from './change.ts'
import { sentenceOf } from './sentence.ts'
import { inOrder, type Latest } from './use-latest.ts'
import { useSteadyOrder } from './use-steady-order.ts'

/** Of so many cards, from the first, the last month is compared with the one before. */
const MAX_COMPARED = 8

type CardsOptions = {
  data: Latest | undefined
  targets: ReturnType<typeof useTargets>
  now: number
  isOrdered: boolean
}

/** The order of the cards, what each says of its target, and what the sentence says of all. */
export function useCards({ patientUid, zone }: ScreenProps, { data, targets, now, isOrdered }: CardsOptions) {
  const { session, hasCare } = useApp()
  const { subject, patientUids } = session.person
  const [months, setMonths] = useState<ReadonlyMap<string, MonthOfType | undefined>>(new Map())
  const onMonth = useCallback((readingType: string, month: Omit<MonthOfType, 'readingType'> | undefined) => {
    setMonths((known) => new Map(known).set(readingType, month && { readingType, ...month }))
  }, [])
  const name = usePatientName(patientUid)
  const nameOfDoctor = useDoctorNames((targets.data ?? []).flatMap(({ doctorId }) => doctorId ?? []))
  const { catalogue, newest } = data ?? { catalogue: new Map(), newest: [] }
  const attention = byAttention(inOrder(newest, catalogue), { catalogue, targetsOf: targets.of, now })
  const order = useSteadyOrder(
    attention.map(({ readingType }) => readingType),
    data !== undefined && isOrdered,
  )
  const ofType = new Map(attention.map((card) => [card.readingType, card]))
  const compared = (hasCare ? order : [])
    .filter((type) => isComparedCard(ofType.get(type), catalogue))
    .slice(0, MAX_COMPARED)
  const isWaiting = !compared.every((type) => months.has(type))
  const isOwn = patientUids.includes(patientUid)
  const sentence = {
    whose: isOwn && patientUids.length === 1 ? undefined : name,
    targets: targets.data ?? [],
    cards: attention,
    measuredAt: (type: string) => newest.find(isOf(type))?.measuredAt,
    now,
    zone,
  }
  const known = compared.flatMap((type) => months.get(type) ?? [])
  return {
    order,
    sentence: {
      parts: sentenceOf({ ...sentence, change: isWaiting ? undefined : largestChange(known) }),
      length: sentenceOf({ ...sentence, change: undefined }).join('; ').length,
      mayChange: isWaiting || known.length > 0,
    },
    ofType: (readingType: string) => ({
      attention: ofType.get(readingType),
      author: setText(targets.of(readingType), { subject, isOwn, nameOfDoctor, zone, now }),
      isWanted: compared.includes(readingType),
      onMonth,
    }),
  }
}

const isComparedCard = (card: Attention | undefined, catalogue: Catalogue) =>
  card !== undefined &&
  card.group !== 'old' &&
  catalogue.has(card.readingType) &&
  isCompared(card.readingType)

export const isOf = (type: string) => (reading: StoredReading) => reading.readingType === type
