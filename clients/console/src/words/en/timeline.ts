/** What happened to the care of a patient. */
export const timeline = {
  title: 'Timeline',
  nothing: 'Nothing yet.',
  kinds: {
    look: 'Look',
    symptom: 'Symptom',
    note: 'Note',
    alert: 'Alert',
    target: 'Target',
    rule: 'Rule',
    sharing: 'Sharing',
    withdrawal: 'Reading',
  },
  doctorsOnly: 'doctors only',
  patientReads: 'the patient can read it',
  thePatient: 'The patient',
  look: (who: string, again: string | undefined, isUndone: boolean) =>
    `${who} looked${again === undefined ? '' : `; look again ${again}`}${isUndone ? ', and took it back' : ''}.`,
  youLooked: (again: string | undefined, isUndone: boolean) =>
    `You looked${again === undefined ? '' : `; look again ${again}`}${isUndone ? ', and took it back' : ''}.`,
  symptom: (severity: string, symptom: string) => `${severity}: ${symptom}`,
  target: (by: string, action: 'set' | 'removed', what: { name: string; isForAll: boolean; range: string }) =>
    `${by} ${action} the target of ${what.name}${what.isForAll ? ' for all patients' : ''}${what.range === '' ? '' : `: ${what.range}`}.`,
  rule: (by: string, action: 'set' | 'removed', rule: string) => `${by} ${action} a rule: ${rule}.`,
  revoked: 'Sharing was ended by the patient.',
  expired: 'Sharing came to its end.',
  given: (isManage: boolean, until: string) =>
    `Shared for ${isManage ? 'reading and managing' : 'reading'}, ${until || 'without an end'}.`,
  changed: (isManage: boolean, until: string) =>
    `Sharing was changed: now for ${isManage ? 'reading and managing' : 'reading'}, ${until || 'without an end'}.`,
  withdrawal: (by: string, action: 'withdrawn' | 'restored', reason: string | null) =>
    `${by} ${action === 'withdrawn' ? 'withdrew' : 'restored'} a reading${reason === null ? '' : `: ${reason}`}.`,
  alert: (event: 'opened' | 'reopened' | 'acknowledged' | 'ended', said: string, isSentToNobody: boolean) =>
    `${{ opened: 'Opened', reopened: 'Reopened', acknowledged: 'Acknowledged', ended: 'Ended' }[event]}: ${said}${isSentToNobody ? ' Sent to nobody.' : ''}`,
  sharedNoMore: 'it is shared no more.',
  labelSharedNoMore: (label: string) => `“${label}”, shared no more.`,
}
