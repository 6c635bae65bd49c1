// The words of the API, by the names that people use, taken from the generated types.
import type { components, operations } from './api.ts'

type Schemas = components['schemas']

export type Doctor = Schemas['Doctor']
export type Speciality = Schemas['Speciality']
/** A reading as it is sent. Fields beyond those named are stored and returned as they were sent. */
export type Reading = Schemas['Reading']
export type SymptomReading = Schemas['SymptomReading']
export type NoteReading = Schemas['NoteReading']
/** A reading of a type in the catalogue: `readingType` says which, and so which fields there are. */
export type CatalogueReading = Schemas['CatalogueReading']
/** The types of the catalogue: these are checked by the service; any other is accepted with whatever fields it brings. */
export type CatalogueType = CatalogueReading['readingType']
/** The readings of one type, such as `ReadingOf<'bloodPressure'>`. */
export type ReadingOf<Type extends string> = Type extends CatalogueType
  ? Extract<CatalogueReading, { readingType: Type }>
  : Schemas['OtherReading'] & { readingType: Type }
/** One or several readings whose fields are those of their type. TypeScript finds `Type` by `readingType`. */
export type ReadingsToAdd<Type extends string> = OneToAdd<Type> | readonly OneToAdd<Type>[]
type OneToAdd<Type extends string> = { readingType: Type } & ReadingOf<Type>

/** Where a reading comes from: `source` of every type. */
export type ReadingSource = Schemas['ReadingSource']
/** A reading as it comes back: as it was sent, with `readingId`, `measuredAt` and `receivedAt`, and `withdrawn` if it is. */
export type StoredReading = Schemas['StoredReading']
/** The stored readings of one type; `isOfType` tells whether a reading is one. */
export type StoredReadingOf<Type extends string> = Stored<ReadingOf<Type>>
type Given = Pick<StoredReading, 'readingId' | 'measuredAt' | 'receivedAt'>
/** `unit` may be missing, also where it is required today: of older readings, the first unit of the type is meant. */
type Stored<Sent> = Sent extends { unit: infer Unit }
  ? Without<Sent, keyof Given | 'unit'> & Given & { unit?: Unit }
  : Sent extends unknown
    ? Without<Sent, keyof Given> & Given
    : never
/** `Omit` would lose the names of all fields beside which any others may stand. */
export type Without<Fields, Name extends string> = {
  [Field in keyof Fields as Field extends Name ? never : Field]: Fields[Field]
}
/** A type of the catalogue: its units, codes, ranges, an example, and its JSON Schema. */
export type ReadingTypeEntry = Schemas['ReadingTypeEntry']
/** What became of one reading of an add: stored, duplicate or rejected, and why. */
export type AddVerdict = Schemas['AddVerdict']
/** What deserves a second look in a reading that is stored all the same. */
export type ReadingWarning = NonNullable<Exclude<AddVerdict, { verdict: 'rejected' }>['warnings']>[number]
/** One read of a patient's readings, by anyone. */
export type Access = Schemas['Access']
/** What a patient shares with a doctor: given, revoked or expired. */
export type Grant = Schemas['Grant']
/** A grant that was given, changed or revoked, by whom and when. */
export type GrantChange = Schemas['GrantChange']
/** A patient who shares readings with the doctor that the token names. */
export type SharingPatient = Schemas['SharingPatient']
/** A patient in the list of a doctor: a queue, the reasons for it, and what was not judged. */
export type ListedPatient = Schemas['ListedPatient']
/** What the readings of a type are compared with, and who set it. */
export type Target = Schemas['Target']
/** Published limits that a form may offer. */
export type TargetPreset = Schemas['TargetPreset']
/** A doctor has seen what the list showed of a patient, with a note or without. */
export type Look = Schemas['Look']
/** What happened to a patient's care; `kind` says what. */
export type TimelineEntry = Schemas['TimelineEntry']
/** What a doctor wants to be notified of. */
export type Rule = Schemas['Rule']
/** What a rule would have done. */
export type RulePreview = Schemas['RulePreview']
/** A span of time in which a rule of a doctor holds for a patient's readings. */
export type Alert = Schemas['Alert']
/** What became of an alert, and by whom. */
/** A system that is called with changes. */
export type Endpoint = Schemas['Endpoint']
/** Attempts of one minute to deliver to an endpoint, with one outcome. */
export type Attempt = Schemas['Attempt']
/** The figures of an ambulatory glucose profile. */
export type GlucoseReport = Schemas['GlucoseReport']
/** Means of blood pressure. */
export type BloodPressureReport = Schemas['BloodPressureReport']
/** How many readings, and how much time, are in target. */
export type TimeInTargetReport = Schemas['TimeInTargetReport']
/** On how many days there are readings. */
export type DaysWithDataReport = Schemas['DaysWithDataReport']
/** A reading that was added, withdrawn or restored, as it is now, or the erasure of a patient; `state` says which. */
export type Change = Schemas['Change']
/** One field that is wrong: a JSON Pointer to it, and what it must be. */
export type FieldError = NonNullable<Schemas['Error']['errors']>[number]
export type ErrorAnswer = Schemas['Error']

export type DoctorsQuery = QueryOf<'listDoctors'>
export type ReadingsQuery = QueryOf<'getReadings'>
export type LatestQuery = QueryOf<'latestReadings'>
export type StatisticsQuery = QueryOf<'readingStatistics'>
export type AccessLogQuery = QueryOf<'readAccessLog'>
export type ChangesQuery = QueryOf<'followChanges'>
export type GrantsQuery = QueryOf<'listGrants'>
export type GrantHistoryQuery = QueryOf<'grantHistory'>
export type PatientsQuery = QueryOf<'listPatients'>
export type MyPatientsQuery = QueryOf<'listMyPatients'>
export type TargetsQuery = QueryOf<'listTargets'>
export type TimelineQuery = QueryOf<'readTimeline'>
export type RulesQuery = QueryOf<'listRules'>
export type AlertsQuery = QueryOf<'listAlerts'>
export type GlucoseReportQuery = QueryOf<'glucoseReport'>
export type BloodPressureReportQuery = QueryOf<'bloodPressureReport'>
export type TimeInTargetReportQuery = QueryOf<'timeInTargetReport'>
export type DaysWithDataReportQuery = QueryOf<'daysWithDataReport'>
export type EndpointsQuery = QueryOf<'listEndpoints'>
export type AttemptsQuery = QueryOf<'listAttempts'>

/** The reading to withdraw, by the values that came back with it, and why. */
export type ReadingToWithdraw = BodyOf<'withdrawReading'>
export type ReadingToRestore = BodyOf<'restoreReading'>

/** What a patient shares with a doctor, and with which doctor it ends. */
export type GrantToAdd = BodyOf<'addGrant'>
export type GrantToRevoke = BodyOf<'revokeGrant'>

/** The target of an author, and which one ends. */
export type TargetToSet = BodyOf<'setTarget'>
export type TargetToRemove = BodyOf<'removeTarget'>

/** What was seen of a patient, with a note or without; and which look is taken back. */
export type ReviewToAdd = BodyOf<'addReview'>
export type ReviewToUndo = BodyOf<'undoReview'>

/** What a doctor wants to be notified of; and which rule ends, or is tried. */
export type RuleToSet = BodyOf<'setRule'>
export type RuleToRemove = BodyOf<'removeRule'>
export type RuleToPreview = BodyOf<'previewRule'>

/** Which alert, with a note or without; and until when. */
export type AlertToAcknowledge = BodyOf<'acknowledgeAlert'>

/** The address to call, and what it gets. */
export type EndpointToAdd = BodyOf<'addEndpoint'>
export type EndpointNamed = BodyOf<'removeEndpoint'>
export type EndpointToReplay = BodyOf<'replayEndpoint'>
export type EndpointToRotate = BodyOf<'rotateEndpointSecret'>
export type EndpointToSkip = BodyOf<'skipPage'>

type Posted =
  | 'withdrawReading'
  | 'restoreReading'
  | 'addGrant'
  | 'revokeGrant'
  | 'setTarget'
  | 'removeTarget'
  | 'addReview'
  | 'undoReview'
  | 'setRule'
  | 'removeRule'
  | 'previewRule'
  | 'acknowledgeAlert'
  | 'addEndpoint'
  | 'removeEndpoint'
  | 'replayEndpoint'
  | 'rotateEndpointSecret'
  | 'skipPage'
type BodyOf<Name extends Posted> = OrUndefined<
  NonNullable<operations[Name]['requestBody']>['content']['application/json']
>

type QueryOf<Name extends keyof operations> = OrUndefined<
  NonNullable<operations[Name]['parameters']['query']>
>
/** What may be left out may be undefined too, also with exactOptionalPropertyTypes: the client leaves it out. */
type OrUndefined<Fields> = {
  [Name in keyof Fields]: Partial<Pick<Fields, Name>> extends Pick<Fields, Name>
    ? Fields[Name] | undefined
    : Fields[Name]
}

type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

export type DoctorsAnswer = Answer<'listDoctors'>
export type SpecialitiesAnswer = Answer<'listSpecialities'>
export type AddAnswer = Schemas['AddAnswer']
export type AddVerdicts = Schemas['AddVerdicts']
export type ReadingsAnswer = Answer<'getReadings'>
export type LatestAnswer = Answer<'latestReadings'>
export type StatisticsAnswer = Answer<'readingStatistics'>
export type ReadingTypesAnswer = Answer<'listReadingTypes'>
export type AccessLogAnswer = Answer<'readAccessLog'>
export type WithdrawAnswer = Answer<'withdrawReading'>
export type RestoreAnswer = Answer<'restoreReading'>
export type ChangesAnswer = Answer<'followChanges'>
export type AddGrantAnswer = Answer<'addGrant'>
export type RevokeGrantAnswer = Answer<'revokeGrant'>
export type GrantsAnswer = Answer<'listGrants'>
export type GrantHistoryAnswer = Answer<'grantHistory'>
export type PatientsAnswer = Answer<'listPatients'>
export type MyPatientsAnswer = Answer<'listMyPatients'>
export type SetTargetAnswer = Answer<'setTarget'>
export type RemoveTargetAnswer = Answer<'removeTarget'>
export type TargetsAnswer = Answer<'listTargets'>
export type TargetPresetsAnswer = Answer<'listTargetPresets'>
export type AddReviewAnswer = Answer<'addReview'>
export type UndoReviewAnswer = Answer<'undoReview'>
export type TimelineAnswer = Answer<'readTimeline'>
export type SetRuleAnswer = Answer<'setRule'>
export type RemoveRuleAnswer = Answer<'removeRule'>
export type RulesAnswer = Answer<'listRules'>
export type PreviewRuleAnswer = Answer<'previewRule'>
export type AlertsAnswer = Answer<'listAlerts'>
export type AcknowledgeAlertAnswer = Answer<'acknowledgeAlert'>
export type GlucoseReportAnswer = Answer<'glucoseReport'>
export type BloodPressureReportAnswer = Answer<'bloodPressureReport'>
export type TimeInTargetReportAnswer = Answer<'timeInTargetReport'>
export type DaysWithDataReportAnswer = Answer<'daysWithDataReport'>
export type AddEndpointAnswer = Answer<'addEndpoint'>
export type RemoveEndpointAnswer = Answer<'removeEndpoint'>
export type TestEndpointAnswer = Answer<'testEndpoint'>
/** Of pause, resume, replay and skip. */
export type EndpointAnswer = Answer<'pauseEndpoint'>
export type RotateSecretAnswer = Answer<'rotateEndpointSecret'>
export type EndpointsAnswer = Answer<'listEndpoints'>
export type AttemptsAnswer = Answer<'listAttempts'>
