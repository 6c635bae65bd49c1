import type { sharing as english } from '../en/sharing.ts'
import { counted } from '../language.ts'

const inDays = (days: number) =>
  days === 0 ? 'heute' : `in ${counted(days, { one: 'Tag', other: 'Tagen' })}`

export const sharing: typeof english = {
  whatMay: 'Was darf die Ärztin oder der Arzt?',
  view: 'Die Messwerte sehen',
  viewHint:
    'Und Berichte, Zielbereiche, Regeln, Alarme und die Chronik. Es kann vermerkt werden, dass jemand hingesehen hat, auch mit einer Notiz.',
  manage: 'Die Messwerte sehen, Zielbereiche und Regeln festlegen',
  manageHint:
    'Alles wie oben. Die Messwerte werden nach Zielbereichen beurteilt, Regeln melden sich, und eine Regel kann an Messwerten von 90 Tagen erprobt werden. Ein Alarm kann mit seinem Messwert an einen Empfänger außerhalb von Rounds gesendet werden, etwa einen Funkrufdienst.',
  noDoctorCan: 'Niemand in der Praxis kann Messwerte eintragen, ändern oder widerrufen.',
  mayManage: 'darf auch Zielbereiche und Regeln festlegen und wird von ihnen benachrichtigt',
  theyManage: 'Zielbereiche und Regeln dürfen festgelegt werden und melden sich',
  contact: 'Wie Sie dort erreichbar sind (freiwillig)',
  contactHint:
    'Etwa „555 0142, nach 18 Uhr“. Nur diese Ärztin oder dieser Arzt sieht es, neben den Messwerten.',
  contactIs: (contact) => `erreicht Sie unter „${contact}“`,
  endsIn: (days) => `Endet ${inDays(days)}.`,
  endsWith: (doctor, days) => `Das Teilen mit ${doctor} endet ${inDays(days)}.`,
  goOn: 'Weiter teilen',
  rules: 'Regeln, die es zu diesen Messwerten gibt',
  rulesEnd:
    'Trifft eine zu, wird die Ärztin oder der Arzt benachrichtigt. Die Regeln enden, wenn Sie nicht mehr teilen oder nur noch das Sehen erlauben.',
}
