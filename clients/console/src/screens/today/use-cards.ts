// The cards against the targets of the patient: their order, what each says, and the sentence above them.
import type { StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { setText } from '../../care/target-text.ts'
import type { useTargets } from '../../care/targets.ts'
import { useReader } from '../../care/use-reader.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { cardsOf } from './attention.ts'
import { sentenceOf } from './sentence.ts'
import { inOrder, type Latest } from './use-latest.ts'
import { useSteadyOrder } from './use-steady-order.ts'

type CardsOptions = {
  data: Latest | undefined
  targets: ReturnType<typeof useTargets>
  now: number
  isOrdered: boolean
}

/** The order of the cards, what each says of its target, and what the sentence says of all. */
export function useCards({ patientUid, zone }: ScreenProps, { data, targets, now, isOrdered }: CardsOptions) {
  const { patientUids } = useApp().session.person
  const reader = useReader(targets.data ?? [])
  const name = usePatientName(patientUid)
  const { catalogue, newest } = data ?? { catalogue: new Map(), newest: [] }
  const attention = cardsOf(inOrder(newest, catalogue), { catalogue, targetOf: targets.of, now })
  const order = useSteadyOrder(
    attention.map(({ readingType }) => readingType),
    data !== undefined && isOrdered,
  )
  const ofType = new Map(attention.map((card) => [card.readingType, card]))
  const isOwn = patientUids.includes(patientUid)
  return {
    order,
    sentence: sentenceOf({
      whose: isOwn && patientUids.length === 1 ? undefined : name,
      types: (targets.data ?? []).filter(({ judges }) => judges).map(({ readingType }) => readingType),
      cards: attention,
      measuredAt: (type: string) => newest.find(isOf(type))?.measuredAt,
      now,
      zone,
    }),
    ofType(readingType: string) {
      const target = targets.of(readingType)
      return {
        attention: ofType.get(readingType),
        author: target ? setText(target, { ...reader, zone, now }) : '',
      }
    },
  }
}

export const isOf = (type: string) => (reading: StoredReading) => reading.readingType === type
