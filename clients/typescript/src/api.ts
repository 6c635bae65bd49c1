// Made from the OpenAPI document by `npm run generate:client`. Do not edit.
export interface paths {
  '/appointments/doctors/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get doctors list
     * @description Ordered by name, ignoring case and accents. Filters can be combined. Send the ETag of an earlier answer in If-None-Match to get 304 if nothing has changed.
     */
    get: operations['listDoctors']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/appointments/doctors/specialities/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get doctor specialties list
     * @description Send the ETag of an earlier answer in If-None-Match to get 304 if nothing has changed.
     */
    get: operations['listSpecialities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/alerts/acknowledge': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Say that you have seen an alert
     * @description For doctors whose grant has the permission manage and holds the type of the alert. An alert that was acknowledged before, or is not open, is answered as it is, and nothing changes; the message says so. It cannot be undone.
     */
    post: operations['acknowledgeAlert']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/alerts/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See what became of an alert
     * @description Its events, oldest first. For the same callers as readings/get; doctors see alerts of types that the patient shares with them. patientUid is optional if the token names exactly one patient. Every read is logged.
     */
    get: operations['alertHistory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/alerts/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the alerts of the patients of a doctor, or of one patient
     * @description With the token of a doctor and without patientUid: alerts of all patients who share with the doctor. Those that are active stand in the order in which they need a doctor: open, acknowledged, snoozed; urgent, warning, notice; the oldest first. Others stand newest first. Each patient sees once a day that the doctor looked. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed. With patientUid: alerts of one patient, newest first, for the same callers as readings/get; patientUid is optional if the token names exactly one patient and no doctor. Every read is logged.
     */
    get: operations['listAlerts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/alerts/snooze': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Put off an alert until a time, or end that
     * @description For doctors whose grant has the permission manage and holds the type of the alert. Until then, neither this alert nor another one of the same field with the same or a lower severity is announced; one with a higher severity is. An alert that is not open is answered as it is, and nothing changes.
     */
    post: operations['snoozeAlert']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/patients/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the patients of the doctor, those who need attention first
     * @description For a doctor: the token names a doctorId. Each patient who shares readings now, with a status, the rule behind it, and the last weeks against the targets. What is shown is at most about two seconds old. Each patient sees once a day that the doctor looked. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.
     */
    get: operations['listMyPatients']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/reports/blood-pressure': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Report on blood pressure: means of mornings and evenings
     * @description Of readings of type bloodPressure. A home protocol (ESH 2023, doi 10.1097/HJH.0000000000003480) takes two readings each morning and evening for seven days, and leaves out the first day. A day begins at 04:00 here: a reading after midnight belongs to the evening of the day before. The report is about readings measured between from and to, both inclusive and at most 400 days apart; withdrawn ones are left out. A range with more than 110,000 values, or with fewer if readings are large, is refused with 400. patientUid is optional if the token names exactly one patient. Every read is recorded in the access log before it is answered.
     */
    get: operations['bloodPressureReport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/reports/days-with-data': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Report on how many days there are readings
     * @description Counts the local days with readings of one type, or of any, in total and from devices. US remote monitoring is paid by days with data from devices: 16 in 30 days (CPT 99454), or 2 to 15 (CPT 99445). The report is about readings measured between from and to, both inclusive and at most 400 days apart; withdrawn ones are left out. A range with more than 110,000 values, or with fewer if readings are large, is refused with 400. patientUid is optional if the token names exactly one patient. Every read is recorded in the access log before it is answered.
     */
    get: operations['daysWithDataReport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/reports/glucose': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Report on sensor glucose: profile of the day, time in range, GMI
     * @description The figures of an ambulatory glucose profile, of readings of type interstitialGlucose; fingersticks give no profile. Bands and what is enough data are those of the consensus that `source` names; each reading is put into its band in the unit in which it was sent: 10.0 mmol/L and 180 mg/dL are both in range, 10.1 and 181 are not. A target of the patient takes the place of the middle band, and readings are compared with it as in reports/time-in-target; a side that it leaves open ends where that of the consensus does. Means and percentiles are of readings, not of time. The report is about readings measured between from and to, both inclusive and at most 400 days apart; withdrawn ones are left out. A range with more than 110,000 values, or with fewer if readings are large, is refused with 400. patientUid is optional if the token names exactly one patient. Every read is recorded in the access log before it is answered.
     */
    get: operations['glucoseReport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/reports/time-in-target': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Report on how many readings, and how much time, are in target
     * @description Compares readings of a type of the catalogue with the targets that are set now. Values are compared in the unit of the target; one that was sent in another unit is rounded first to what people are shown: whole mg/dL and g, else one digit. The report is about readings measured between from and to, both inclusive and at most 400 days apart; withdrawn ones are left out. A range with more than 110,000 values, or with fewer if readings are large, is refused with 400. patientUid is optional if the token names exactly one patient. Every read is recorded in the access log before it is answered.
     */
    get: operations['timeInTargetReport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/reviews/add': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Say that you have looked at the readings of a patient
     * @description For doctors whose grant has the permission manage, also where it is limited to some types. The patient sees the review with its note. It cannot be changed or removed.
     */
    post: operations['addReview']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/reviews/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See when doctors looked at the readings of a patient
     * @description Newest first. For the same callers as readings/get. A doctor whose grant is limited to some types sees their own reviews only, because the notes of others may be about other types. patientUid is optional if the token names exactly one patient. Every read is logged.
     */
    get: operations['listReviews']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/rules/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the rules of a patient, or of all patients who share with the doctor
     * @description Those that are set now. With patientUid: for the same callers as readings/get, ordered by type and time; a doctor sees those of the types that are shared; every read is logged. Without it and with a token that names a doctorId: the rules of all patients who share with the doctor, in pages, ordered by the name of the patient. With any other token patientUid is optional if it names exactly one patient.
     */
    get: operations['listRules']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/rules/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * See what a rule would have done with the readings of a patient
     * @description For the same callers as rules/set. Takes the same rule, as if it had been set so many days ago, and sets nothing: template and ruleId are ignored. Every call is logged as a read.
     */
    post: operations['previewRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/rules/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove a rule of a patient
     * @description For the same callers as rules/set. May be repeated, also where there is no such rule. Open alerts of the rule are resolved.
     */
    post: operations['removeRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/rules/set': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a rule for the readings of a patient
     * @description For doctors whose grant has the permission manage and holds the type. Exactly one of threshold, sustained, change and missing is required. The rule looks at readings that are measured from now on. The same rule again changes nothing. With a ruleId, or with the template of a rule, it replaces that one, whose open alerts are resolved. At most 50 rules are set for a patient, and 10,000 by a doctor.
     */
    post: operations['setRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/targets/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See who set or removed targets of a patient
     * @description One entry per change, newest first. For the same callers as targets/list. patientUid is optional if the token names exactly one patient. Every read is logged.
     */
    get: operations['targetHistory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/targets/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the targets of a patient
     * @description Those that are set now, ordered by type and field: nothing is applied by default. For the same callers as readings/get; a doctor sees those of the types that are shared. patientUid is optional if the token names exactly one patient. Every read is logged.
     */
    get: operations['listTargets']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/targets/presets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the published targets that a person may choose
     * @description Each with its source. None is applied by default. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.
     */
    get: operations['listTargetPresets']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/targets/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove targets of a patient
     * @description For the same callers as targets/set. May be repeated, also where there is no target. The history keeps what was removed.
     */
    post: operations['removeTarget']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/care/targets/set': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a target for the readings of a patient
     * @description For the patient, carers, and doctors whose grant has the permission manage and holds the type. There is one target for each field of a type: another one replaces it, and the same one again changes nothing. A bound must be possible for the type; at least one is required. A preset sets all its targets at once.
     */
    post: operations['setTarget']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/grants/add': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Share readings with a doctor
     * @description For the patient and carers. A patient has one grant for each doctor: another one replaces it, and the same one again changes nothing. At most 100 are in force at a time. The doctor reads with a token that names this doctorId.
     */
    post: operations['addGrant']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/grants/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See who gave, changed or revoked grants of the patient
     * @description For the patient and carers. One entry per change, newest first. A grant that expires leaves no entry. patientUid is optional if the token names exactly one patient.
     */
    get: operations['grantHistory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/grants/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See with whom the patient shares readings
     * @description For the patient and carers. One grant per doctor, as it is now, ordered by doctorId: those in force, and those that were revoked or have expired. patientUid is optional if the token names exactly one patient.
     */
    get: operations['listGrants']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/grants/revoke': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Stop sharing readings with a doctor
     * @description For the patient and carers. No read of the doctor that begins after the answer succeeds; open streams end within two seconds. May be repeated, also where nothing was shared.
     */
    post: operations['revokeGrant']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/patients/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the patients who share readings with the doctor
     * @description For a doctor: the token names a doctorId. Ordered by sharedAs, or by the id where there is none, ignoring case and accents. Grants that were revoked or have expired are left out. Behind a router of several cells: ask each one at /cells/NAME and this path.
     */
    get: operations['listPatients']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/access-log': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See who has read or corrected the readings of the patient
     * @description For the patient, for doctors with whom the patient shares (their own reads only, where not all types are shared), and for staff. One entry per answer, newest first. Reading the log adds an entry too, which later answers include. An entry of readings/withdraw or readings/restore says in `correction` which reading it has changed. patientUid is optional if the token names exactly one patient.
     */
    get: operations['readAccessLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/add': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add readings of the patient
     * @description Stores one reading, or a list of up to 1,000: all of them or none. Adding is idempotent: a reading that is sent again is stored once and answered with Ok, so every request can be retried. Limits: 64 KiB and 1000 fields per reading, 4 MiB per list, 30000 values per body (fields and list items at every depth), a nesting depth of 16, field names of 1024 bytes, numbers of 400 characters; a number of more than 25 characters counts as one value per ten. With `Prefer: return=representation`, each reading gets its own verdict, and a rejected reading does not keep the others from being stored.
     */
    post: operations['addReadings']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/changes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Follow the changes of all readings
     * @description For services with the scope for it. Each change is given once, in its present state: a reading that changes again moves to its new place. A change is given when no transaction older than its own is running, usually within milliseconds of its commit. Every patient of a page gets a row in the access log before the page is sent. 410 CursorExpired: the database was restored to an earlier state, or copied; begin again without a cursor.
     */
    get: operations['followChanges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/get': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Fetch readings of the patient
     * @description Both ends of the range are inclusive and optional. patientUid is optional if the token names exactly one patient. Every read is recorded in the access log before it is answered. `Accept` selects JSON (the default), CSV or newline-delimited JSON.
     */
    get: operations['getReadings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/latest': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Fetch the newest reading of each type
     * @description The newest is the one measured last up to `to`, whenever it arrived. patientUid may be left out when the token names exactly one patient. At most 200 types and a mebibyte of readings are answered: beyond that, name fewer types. Every read is logged before it is answered.
     */
    get: operations['latestReadings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a reading that was withdrawn
     * @description The reading counts again. For the same callers as readings/withdraw, except that only staff restores what staff has withdrawn. May be repeated. The access log keeps who withdrew and who restored.
     */
    post: operations['restoreReading']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/statistics': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Summarise readings of one type by hour, day, week or month
     * @description Summarises the readings between from and to, both inclusive, in at most 5000 whole buckets. A range with more than 110,000 values (35,000 for a type that is not in the catalogue) is refused with 400: split it into several requests. Withdrawn readings that are left out count there too. Values are the quantities of the catalogue; for any other type, all fields that are numbers. patientUid is optional if the token names exactly one patient. Every read is recorded in the access log before it is answered.
     */
    get: operations['readingStatistics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Watch the readings of the patient
     * @description Server-sent events, until the token expires, its key is withdrawn, or what the patient shares with the calling doctor changes. `open`: with `limitedTo` where the patient shares only some types with the calling doctor. `change`: a reading that was added, withdrawn or restored, as it is now, or an erasure, in the form of readings/changes. `reset`: changes may have been missed; read the range again. `delay`: for how many seconds a transaction that stays open in the database has held changes back (`heldBackSeconds`), repeated while it lasts, and 0 when it is over. `end`: the server ends the stream and says why; come back after the time in `retry`. patientUid may be left out when the token names exactly one patient. Every change shown is in the access log before it is sent.
     */
    get: operations['streamReadings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/types': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the catalogue of reading types
     * @description The types whose fields, units and possible ranges are checked when readings are added; any other type is accepted too. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.
     */
    get: operations['listReadingTypes']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/withdraw': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Withdraw a reading that was entered in error
     * @description The reading stays stored. readings/get, readings/latest, readings/statistics and exports leave it out unless they are asked for `withdrawn=include`. Adding the same content again does not bring it back. For the patient, and for staff with the scope for withdrawing. May be repeated: the first person, time and reason stay. Staff also withdraws what the patient has withdrawn: person and reason are then theirs, and only staff restores it. Who withdrew which reading and why is in the access log for good.
     */
    post: operations['withdrawReading']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/attempts/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See what became of attempts to deliver
     * @description Of one endpoint, newest first, for 30 days: one entry for each minute, event and outcome, and one for each skipped page. Messages themselves are not kept.
     */
    get: operations['listAttempts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/add': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Have another system called with changes
     * @description The address gets signed POST requests (Standard Webhooks) with changes, in order, until it answers 2xx. There is one endpoint per address, at most 1,000 in all, and at most 100,000 patients are named by them. The secret is in this answer only: if it did not arrive, call endpoints/rotate-secret.
     */
    post: operations['addEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the endpoints of webhooks
     * @description All of them, in the order in which they were added, without their secrets. A page may have fewer than asked for, where endpoints name many patients.
     */
    get: operations['listEndpoints']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause an endpoint
     * @description Nothing more is sent until it is resumed, and nothing is lost. A message that is on its way may still arrive. May be repeated.
     */
    post: operations['pauseEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove an endpoint
     * @description With its secret, its place in the sequence of changes and its attempts. A message that is on its way may still arrive. May be repeated, also where there is no such endpoint.
     */
    post: operations['removeEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send changes to an endpoint again
     * @description Sets its place in the sequence of changes back, never forward, and tries at once. Messages of a replay have other ids than those before, so that receivers do not take them for repetitions. A paused endpoint stays paused.
     */
    post: operations['replayEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume an endpoint
     * @description It gets everything since it was paused, in order. An endpoint that waits after a failure is tried at once. May be repeated.
     */
    post: operations['resumeEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/rotate-secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Give an endpoint a new secret
     * @description Messages carry two signatures until the overlap is over. A rotation within the overlap ends the older of the two secrets. The new secret is in this answer only: if it did not arrive, rotate again.
     */
    post: operations['rotateEndpointSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/skip': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pass a page that an endpoint keeps refusing
     * @description The endpoint is not sent the page of this message again, and gets what comes behind it at once. attempts/list says who skipped which positions. If the last attempt did not fail, or was of another message, nothing is skipped; a repeated request therefore skips no second page. endpoints/replay sends the page again.
     */
    post: operations['skipPage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhooks/endpoints/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test message to an endpoint
     * @description Sends a signed message of the type endpoint.test at once, and answers when the receiver has, or after 15 seconds. It tries once; no change is delivered by it. Also for a paused endpoint.
     */
    post: operations['testEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /** @description One request for the data of a patient. */
    Access: {
      /**
       * @description Why the read was allowed. patient: the token names the patient. grant: the patient shares with the doctor. staff: the token has the staff scope. operator: an operator of the service exported the data of the patient. service: the token has the scope for following changes.
       * @enum {string}
       */
      allowedAs: 'patient' | 'grant' | 'staff' | 'operator' | 'service'
      /**
       * Format: date-time
       * @description When the answer began, in UTC.
       */
      at: string
      /** @description The reading that the request has withdrawn or restored; left out if it changed nothing. */
      correction?: {
        /** @enum {string} */
        action: 'withdraw' | 'restore'
        /**
         * Format: date-time
         * @description When the reading was measured, in UTC.
         */
        measuredAt: string
        /** Format: uuid */
        readingId: string
        readingType: string
        /** @description Why it was withdrawn. */
        reason: string | null
      }
      /** @description The doctor with whom the patient shares; of grant only. */
      doctorId?: string
      /**
       * Format: date-time
       * @description Start of the range; null if it was open.
       */
      from: string | null
      /** @description The operation, such as readings/get. */
      operation: string
      /** @description The subject of the token. */
      readBy: string
      /** @description Number of readings sent; the number so far while the answer is still being sent. A page that was read again after a lost database connection counts twice. For readings/withdraw and readings/restore: 1 if there is such a reading. */
      readingsCount: number
      /** @description Requested reading types; null for all. */
      readingTypes: string[] | null
      /** @description Why staff read; left out if no reason was given. */
      reason?: string
      /** @description The x-request-id of the answer. */
      requestId: string
      /**
       * Format: date-time
       * @description End of the range; null if it was open.
       */
      to: string | null
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "activeEnergy",
     *       "value": 310,
     *       "startedAt": 1761955200,
     *       "timestamp": 1762000000000
     *     }
     */
    ActiveEnergyReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'activeEnergy'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1761955200
       */
      startedAt?: number
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, kcal is meant.
       * @enum {string}
       */
      unit?: 'kcal'
      /** @description Possible: 0 to 50000 kcal. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description Committed. */
    AddAnswer: {
      /** @enum {string} */
      code: 'Ok'
      message: string
    }
    /** @description What became of one reading. */
    AddVerdict:
      | {
          /** Format: uuid */
          readingId: string
          /**
           * @description stored: by this request. duplicate: it was there already, or stands earlier in this list; also where the service had to repeat its own statement. Both mean committed, and no reading is called stored twice.
           * @enum {string}
           */
          verdict: 'stored' | 'duplicate'
          /** @description What deserves a second look, if anything: Implausible (a number outside the plausible range of its type), Before2000 or AheadOfNow (by more than a minute). The reading is stored as sent. Beyond each reading's first, warnings and errors of an answer are at most 1,000. */
          warnings?: {
            /** @enum {string} */
            code: 'Implausible' | 'Before2000' | 'AheadOfNow'
            /** @description A sentence for people. It never carries personal data. */
            message: string
            /** @description JSON Pointer into this reading. */
            pointer: string
          }[]
        }
      | {
          /** @enum {string} */
          code:
            | 'ValidationFailed'
            | 'MalformedJson'
            | 'InvalidRange'
            | 'InvalidCursor'
            | 'TokenMissing'
            | 'TokenInvalid'
            | 'TokenExpired'
            | 'PatientMismatch'
            | 'PatientNotInToken'
            | 'ScopeMissing'
            | 'ReasonRequired'
            | 'PatientErased'
            | 'NotShared'
            | 'NotADoctor'
            | 'ManageRequired'
            | 'NotFound'
            | 'ReadingNotFound'
            | 'EndpointNotFound'
            | 'RuleUnknown'
            | 'AlertUnknown'
            | 'MethodNotAllowed'
            | 'RequestTimeout'
            | 'EndpointExists'
            | 'ReviewExists'
            | 'RuleExists'
            | 'TooManyRules'
            | 'CursorExpired'
            | 'BodyTooLarge'
            | 'UnsupportedMediaType'
            | 'WrongCell'
            | 'UnknownDoctor'
            | 'TooManyGrants'
            | 'TooManyEndpoints'
            | 'RateLimited'
            | 'HeadersTooLarge'
            | 'InternalError'
            | 'Overloaded'
            | 'DatabaseUnavailable'
            | 'IssuerUnavailable'
            | 'PatientMoving'
          errors?: {
            message: string
            /** @description JSON Pointer into this reading. At most 20 errors of each reading, and beyond the first of each 1,000 in the answer. */
            pointer: string
          }[]
          /** @description A sentence for people. It never carries personal data. */
          message: string
          /** @description Whether this reading may be accepted later, unchanged. */
          retryable: boolean
          /** @enum {string} */
          verdict: 'rejected'
        }
    AddVerdicts: {
      /** @enum {string} */
      code: 'Ok'
      /** @description One for each reading, in the order sent. */
      data: components['schemas']['AddVerdict'][]
      message: string
    }
    /**
     * @description A span of time in which a rule holds for the readings of a patient.
     * @example {
     *       "alertId": "d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63",
     *       "patientUid": "patient-1",
     *       "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
     *       "severity": "urgent",
     *       "state": "open",
     *       "readingType": "heartRate",
     *       "field": "value",
     *       "since": "2026-11-17T08:14:58.000Z",
     *       "openedAt": "2026-11-17T08:15:02.125460Z",
     *       "until": null,
     *       "resolvedAt": null,
     *       "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
     *       "readings": [
     *         {
     *           "readingId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *           "measuredAt": "2026-11-17T08:14:58.000Z",
     *           "value": 142,
     *           "unit": "/min"
     *         }
     *       ],
     *       "quiet": null,
     *       "announcedAt": "2026-11-17T08:15:02.301200Z",
     *       "escalatedAt": null,
     *       "acknowledged": null,
     *       "snoozed": null,
     *       "rule": {
     *         "patientUid": "patient-1",
     *         "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
     *         "readingType": "heartRate",
     *         "field": "value",
     *         "unit": "/min",
     *         "severity": "urgent",
     *         "threshold": null,
     *         "sustained": {
     *           "above": 130,
     *           "count": 3,
     *           "of": 4
     *         },
     *         "change": null,
     *         "missing": null,
     *         "clear": {
     *           "below": 120,
     *           "count": 2
     *         },
     *         "repeat": null,
     *         "escalateAfter": "PT30M",
     *         "maxAge": "PT2H",
     *         "label": "Agreed in October",
     *         "template": "Fast heart rate",
     *         "setBy": "dr-willow",
     *         "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *         "setAt": "2026-11-17T08:15:30.125460Z"
     *       }
     *     }
     */
    Alert: {
      /** @description Who has acknowledged it. */
      acknowledged: {
        /**
         * Format: date-time
         * @description When that was, in UTC.
         */
        at: string
        /** @description The subject of the token. */
        by: string
        /**
         * @description Unique id of the doctor, as doctors/list gave it.
         * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
         */
        doctorId: string
        /** @description What the doctor says about it. The patient reads it. */
        note: string | null
      } | null
      /**
       * @description Id of the alert, as alerts/list gives it.
       * @example d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63
       */
      alertId: string
      /**
       * Format: date-time
       * @description When it was first announced.
       */
      announcedAt: string | null
      /**
       * Format: date-time
       * @description When it was escalated.
       */
      escalatedAt: string | null
      /** @description The field that the rule looks at; null where readings are missing. */
      field: string | null
      /**
       * Format: date-time
       * @description From when on that could be known: when the last of those readings arrived.
       */
      openedAt: string
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /**
       * @description Why it was not announced. late: the readings arrived later than maxAge. snoozed: an alert of the same field is snoozed. inhibited: an alert of the same field is more severe.
       * @enum {unknown}
       */
      quiet: 'late' | 'snoozed' | 'inhibited' | null
      /** @description The readings by which it opened, at most 20. */
      readings: {
        /**
         * Format: date-time
         * @description When it was measured, in UTC.
         */
        measuredAt: string
        /** Format: uuid */
        readingId: string
        /** @description Its unit, in UCUM. */
        unit: string | null
        /** @description The value of the field as it was sent; null where readings are missing. */
        value: number | null
      }[]
      /** @description Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any other type is accepted too. */
      readingType: string
      /**
       * Format: date-time
       * @description From when on that could be known.
       */
      resolvedAt: string | null
      rule: components['schemas']['Rule']
      /** Format: uuid */
      ruleId: string
      /** @enum {string} */
      severity: 'urgent' | 'warning' | 'notice'
      /** @description The name under which the patient shares; in the list of a doctor only. */
      sharedAs?: string | null
      /**
       * Format: date-time
       * @description When the reading was measured by which the rule holds, or from when on one is missing.
       */
      since: string
      /** @description Until when it is not announced again, and who has said so; null once that is over. */
      snoozed: {
        /** @description The subject of the token. */
        by: string
        /**
         * @description Unique id of the doctor, as doctors/list gave it.
         * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
         */
        doctorId: string
        /**
         * Format: date-time
         * @description When it ends, in UTC.
         */
        until: string
      } | null
      /**
       * @description pending: the rule begins to hold. open: it holds. acknowledged: it holds, and a doctor has seen it. resolved: it held until a reading ended it. retracted: as is known now, it never held.
       * @enum {string}
       */
      state: 'pending' | 'open' | 'acknowledged' | 'resolved' | 'retracted'
      /**
       * Format: date-time
       * @description When the reading was measured that ended it; null if none has.
       */
      until: string | null
      /** @description One sentence. */
      why: string
    }
    /**
     * @description What became of an alert, and by whom.
     * @example {
     *       "event": "acknowledged",
     *       "at": "2026-11-17T08:21:40.017302Z",
     *       "severity": "urgent",
     *       "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
     *       "isAnnounced": true,
     *       "by": "dr-willow",
     *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *       "note": "Called: resting, feels well.",
     *       "snoozedUntil": null
     *     }
     */
    AlertEvent: {
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      at: string
      /** @description Who did it: the subject of the token; null where it was Rounds. */
      by: string | null
      /** @description The doctor of that token. */
      doctorId: string | null
      /**
       * @description recorded: the alert opened, and was not announced. opened, repeated, escalated: it was announced, for the first time, again, and because no doctor had acknowledged it. acknowledged, snoozed: a doctor did that. resolved, retracted: it ended, or never was.
       * @enum {string}
       */
      event:
        | 'recorded'
        | 'opened'
        | 'repeated'
        | 'acknowledged'
        | 'snoozed'
        | 'escalated'
        | 'resolved'
        | 'retracted'
      /** @description Whether webhooks report it. */
      isAnnounced: boolean
      /** @description What the doctor says about it. */
      note: string | null
      /** @enum {string} */
      severity: 'urgent' | 'warning' | 'notice'
      /**
       * Format: date-time
       * @description The end of a snooze; null where a snooze was ended, and of other events.
       */
      snoozedUntil: string | null
      /** @description One sentence, as it was then. */
      why: string
    }
    /**
     * @description Attempts of one minute to deliver to an endpoint, with one outcome.
     * @example {
     *       "at": "2026-11-17T08:15:00.000Z",
     *       "outcome": "failed",
     *       "event": "readings.changed",
     *       "status": 503,
     *       "error": "status",
     *       "attempts": 3,
     *       "changes": 120,
     *       "bytes": 30512,
     *       "longestMs": 184,
     *       "lastMessageId": "msg_Jx2mQ8r0cE3vK5nT7yB1aZ4dF6gH9wLp"
     *     }
     */
    Attempt: {
      /**
       * Format: date-time
       * @description The minute in which the attempts ended, or when the page was skipped, in UTC.
       */
      at: string
      /** @description How many there were. */
      attempts: number
      /** @description How many bytes were sent, together. */
      bytes: number
      /** @description How many changes they held, together. */
      changes: number
      /** @description Why they failed, in one word: timeout, refused, dns, tls, address (not allowed), redirect, closed, status or key (the secret was stored under another WEBHOOK_KEY); null if they did not. */
      error: string | null
      /** @description The type of the messages; of the skipped page, where one was skipped. */
      event: string
      /** @description webhook-id of the last of them; of the skipped page, where one was skipped. */
      lastMessageId: string
      /** @description How long the longest of them took. */
      longestMs: number
      /** @enum {string} */
      outcome: 'delivered' | 'failed' | 'skipped'
      /** @description Of a page that endpoints/skip passed. */
      skipped?: {
        /** @description The position behind which the page began: a transaction and an id. */
        after: string
        /** @description The subject of the token, or who ran the command. */
        by: string
        /** @description The position of its last change. */
        upTo: string
      }
      /** @description The HTTP status of the answers; null if there was none. */
      status: number | null
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bloodGlucose",
     *       "value": 104,
     *       "unit": "mg/dL",
     *       "mealContext": "fasting",
     *       "timestamp": 1762000000000
     *     }
     */
    BloodGlucoseReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description As the device has it. */
      mealContext?: string | number | boolean
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bloodGlucose'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description As the device has it. */
      specimen?: string | number | boolean
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'mmol/L' | 'mg/dL'
      /** @description Possible: 0 to 55 mmol/L, or 0 to 990.86 mg/dL. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bloodKetone",
     *       "value": 0.4,
     *       "timestamp": 1762000000000
     *     }
     */
    BloodKetoneReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bloodKetone'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, mmol/L is meant.
       * @enum {string}
       */
      unit?: 'mmol/L'
      /** @description Possible: 0 to 10 mmol/L. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bloodPressure",
     *       "systolic": 128,
     *       "diastolic": 82,
     *       "pulse": 70,
     *       "position": "sitting",
     *       "timestamp": 1762000000000
     *     }
     */
    BloodPressureReading: {
      /** @description Possible: 10 to 250 mm[Hg]. It is below systolic. */
      diastolic: number
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description As the device has it. */
      position?: string | number | boolean
      /** @description Possible: 1 to 350 /min. */
      pulse?: number
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bloodPressure'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description As the device has it. */
      site?: string | number | boolean
      source?: components['schemas']['ReadingSource']
      /** @description Possible: 20 to 350 mm[Hg]. */
      systolic: number
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, mm[Hg] is meant.
       * @enum {string}
       */
      unit?: 'mm[Hg]'
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BloodPressureReport: {
      /** @description What counts as evening, on the local clock. A reading after midnight is of the evening of the day before. */
      evening: {
        before: string
        from: string
      }
      /** @description The reading with the highest systolic value; the first one of several. */
      highest: {
        diastolic: number
        /** Format: date-time */
        measuredAt: string
        systolic: number
      } | null
      /** @description The reading with the lowest systolic value; the first one of several. */
      lowest: {
        diastolic: number
        /** Format: date-time */
        measuredAt: string
        systolic: number
      } | null
      /** @description What counts as morning, on the local clock. */
      morning: {
        before: string
        from: string
      }
      /** @description The last 7 days, the last 30 days, and the whole range. */
      periods: {
        /** @description All readings, those of middays too. */
        all: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
        /** @description How many days the period has, the last of which is that of to; null for the whole range. */
        days: number | null
        /** @description Readings of evenings. */
        evening: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
        /**
         * Format: date
         * @description Its first local date, or that of the range where that is later.
         */
        from: string
        /** @description How many readings are in target; null if none is set for systolic or diastolic. */
        inTarget: {
          /** @description How many of them are in all targets. */
          in: number
          /** @description Number of readings that were compared with the targets. */
          judged: number
        } | null
        /** @description Readings of mornings. */
        morning: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
        /**
         * Format: date
         * @description Its last local date.
         */
        to: string
        /** @description All readings but those of the first day that has any, which protocols of home measurement leave out. */
        withoutFirstDay: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
      }[]
      /** @description Number of readings with a systolic and a diastolic value. */
      readings: number
      /** @description The targets of the patient; null where none is set. */
      targets: {
        /** @description The target of the patient; null if none is set. */
        diastolic: components['schemas']['Target'] | null
        /** @description The target of the patient; null if none is set. */
        systolic: components['schemas']['Target'] | null
      }
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bodyFat",
     *       "value": 22,
     *       "timestamp": 1762000000000
     *     }
     */
    BodyFatReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyFat'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, % is meant.
       * @enum {string}
       */
      unit?: '%'
      /** @description Possible: 0 to 100 %. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bodyHeight",
     *       "value": 172,
     *       "unit": "cm",
     *       "timestamp": 1762000000000
     *     }
     */
    BodyHeightReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyHeight'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'cm' | '[in_i]'
      /** @description Possible: 10 to 300 cm, or 3.93 to 118.12 [in_i]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bodyMassIndex",
     *       "value": 24.1,
     *       "timestamp": 1762000000000
     *     }
     */
    BodyMassIndexReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyMassIndex'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, kg/m2 is meant.
       * @enum {string}
       */
      unit?: 'kg/m2'
      /** @description Possible: 5 to 200 kg/m2. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bodyTemperature",
     *       "value": 36.8,
     *       "unit": "Cel",
     *       "site": "ear",
     *       "timestamp": 1762000000000
     *     }
     */
    BodyTemperatureReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyTemperature'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description As the device has it. */
      site?: string | number | boolean
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'Cel' | '[degF]'
      /** @description Possible: 20 to 46 Cel, or 68 to 114.8 [degF]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "bodyWeight",
     *       "value": 71.4,
     *       "unit": "kg",
     *       "timestamp": 1762000000000
     *     }
     */
    BodyWeightReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyWeight'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'kg' | 'g' | '[lb_av]'
      /** @description Possible: 0.2 to 700 kg, or 200 to 700000 g, or 0.44 to 1543.24 [lb_av]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description A reading of a type that is checked: `readingType` says which. */
    CatalogueReading:
      | components['schemas']['SymptomReading']
      | components['schemas']['HeartRateReading']
      | components['schemas']['RestingHeartRateReading']
      | components['schemas']['BloodPressureReading']
      | components['schemas']['MeanArterialPressureReading']
      | components['schemas']['OxygenSaturationReading']
      | components['schemas']['BodyTemperatureReading']
      | components['schemas']['RespiratoryRateReading']
      | components['schemas']['BloodGlucoseReading']
      | components['schemas']['InterstitialGlucoseReading']
      | components['schemas']['BloodKetoneReading']
      | components['schemas']['BodyWeightReading']
      | components['schemas']['BodyHeightReading']
      | components['schemas']['BodyMassIndexReading']
      | components['schemas']['HeadCircumferenceReading']
      | components['schemas']['BodyFatReading']
      | components['schemas']['WaistCircumferenceReading']
      | components['schemas']['StepCountReading']
      | components['schemas']['ActiveEnergyReading']
      | components['schemas']['HeartRateVariabilitySdnnReading']
      | components['schemas']['HeartRateVariabilityRmssdReading']
      | components['schemas']['PeakExpiratoryFlowReading']
      | components['schemas']['Fev1Reading']
      | components['schemas']['ForcedVitalCapacityReading']
      | components['schemas']['SleepReading']
      | components['schemas']['PainScoreReading']
    Change:
      | {
          reading: components['schemas']['StoredReading']
          /** @enum {string} */
          state: 'present' | 'withdrawn'
        }
      | {
          /** Format: date-time */
          erasedAt: string
          /** @description The patient whose readings are to be removed; null once the time for announcing it is over. */
          patientUid: string | null
          /** @enum {string} */
          state: 'erased'
        }
    DaysWithDataReport: {
      /** @description All days of the range, in order. */
      dates: {
        /**
         * Format: date
         * @description The local date.
         */
        date: string
        /** @description How many of them have a source of kind device. */
        fromDevices: number
        readings: number
      }[]
      /** @description Number of local days of the range. */
      days: number
      /** @description On how many of them something was measured. */
      daysWithData: number
      /** @description On how many of them a device has measured something. */
      daysWithDeviceData: number
    }
    /**
     * @example {
     *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *       "name": "Dr. Invented Willow",
     *       "gender": "female",
     *       "specialities": [
     *         {
     *           "specialityId": "2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11",
     *           "title": "Ear, Nose & Throat"
     *         }
     *       ],
     *       "qualifications": [
     *         "MBBS",
     *         "MS"
     *       ],
     *       "registrationNumber": "EXAMPLE-12345",
     *       "languages": [
     *         "en-IN",
     *         "hi"
     *       ],
     *       "experienceYears": 12,
     *       "city": "Pune",
     *       "photoUrl": null,
     *       "isActive": true,
     *       "created": "2026-01-15T09:30:00.000Z"
     *     }
     */
    Doctor: {
      city: string | null
      /**
       * Format: date-time
       * @description UTC, with milliseconds.
       */
      created: string
      /** @description Unique id of the doctor. */
      doctorId: string
      experienceYears: number | null
      gender: string | null
      isActive: boolean
      /** @description BCP 47 language tags. */
      languages: string[]
      name: string
      /** @description An http(s) address. */
      photoUrl: string | null
      qualifications: string[]
      /** @description As given by the medical council; unique. */
      registrationNumber: string | null
      /** @description Main speciality first. */
      specialities: {
        specialityId: string
        title: string
      }[]
    }
    /**
     * @description A system that is called with changes.
     * @example {
     *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
     *       "url": "https://receiver.example/rounds",
     *       "description": "Copy for the data warehouse",
     *       "events": [
     *         "readings.changed",
     *         "patient.erased"
     *       ],
     *       "readingTypes": [
     *         "bloodPressure",
     *         "heartRate"
     *       ],
     *       "thin": false,
     *       "state": "active",
     *       "behindSince": null,
     *       "failures": 0,
     *       "replays": 0,
     *       "addedBy": "integration-service",
     *       "addedAt": "2026-11-17T08:15:30.125Z"
     *     }
     */
    Endpoint: {
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      addedAt: string
      /** @description Who added it: the subject of the token. */
      addedBy: string
      /**
       * Format: date-time
       * @description Since when changes wait to be delivered; null if none do, and while it is paused by endpoints/pause.
       */
      behindSince: string | null
      /**
       * @description What it is for.
       * @example Copy for the data warehouse
       */
      description?: string
      /**
       * @description Id of the endpoint, as endpoints/add gave it.
       * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
       */
      endpointId: string
      /**
       * @description readings.changed: readings that were added, withdrawn or restored. patient.erased: patients whose data was erased. grant.changed: what patients share with doctors. alert.…: what becomes of alerts, where they are switched on. The first three if it is left out.
       * @example [
       *       "readings.changed",
       *       "patient.erased"
       *     ]
       */
      events: (
        | 'readings.changed'
        | 'patient.erased'
        | 'grant.changed'
        | 'alert.opened'
        | 'alert.repeated'
        | 'alert.acknowledged'
        | 'alert.escalated'
        | 'alert.resolved'
        | 'alert.retracted'
      )[]
      /**
       * Format: date-time
       * @description When the first of these failures was.
       */
      failingSince?: string
      /** @description Attempts that failed since the last one that did not. */
      failures: number
      /**
       * Format: date-time
       * @description When the next attempt is due, after a failure.
       */
      nextAttemptAt?: string
      /** @description Only changes of these patients. All patients if it is left out; none if it is empty, because all were erased. */
      patientUids?: string[]
      /**
       * @description asked: endpoints/pause was called. gone: the receiver answered 410.
       * @enum {string}
       */
      pausedBecause?: 'asked' | 'gone'
      /**
       * Format: date-time
       * @description Until when messages are also signed with the secret before.
       */
      previousSecretUntil?: string
      /**
       * @description Only readings and alerts of these types. All types if it is left out.
       * @example [
       *       "bloodPressure",
       *       "heartRate"
       *     ]
       */
      readingTypes?: string[]
      /** @description How often the endpoint was set back to an earlier change. */
      replays: number
      /** @enum {string} */
      state: 'active' | 'paused'
      /** @description Whether messages name what changed without its content. */
      thin: boolean
      /**
       * Format: uri
       * @description The address that is called.
       */
      url: string
    }
    /**
     * @example {
     *       "status": "error",
     *       "code": "NotFound",
     *       "message": "There is nothing at this address.",
     *       "requestId": "6f1c1c1e-0d5e-4c55-8d3c-0f5d6b1f0a11",
     *       "retryable": false
     *     }
     * @example {
     *       "status": "error",
     *       "code": "MethodNotAllowed",
     *       "message": "Use POST here.",
     *       "requestId": "6f1c1c1e-0d5e-4c55-8d3c-0f5d6b1f0a11",
     *       "retryable": false
     *     }
     */
    Error: {
      /** @description With CellMissing: the names of all cells. */
      cells?: string[]
      /** @enum {string} */
      code:
        | 'ValidationFailed'
        | 'MalformedJson'
        | 'InvalidRange'
        | 'InvalidCursor'
        | 'TokenMissing'
        | 'TokenInvalid'
        | 'TokenExpired'
        | 'PatientMismatch'
        | 'PatientNotInToken'
        | 'ScopeMissing'
        | 'ReasonRequired'
        | 'PatientErased'
        | 'NotShared'
        | 'NotADoctor'
        | 'ManageRequired'
        | 'NotFound'
        | 'ReadingNotFound'
        | 'EndpointNotFound'
        | 'RuleUnknown'
        | 'AlertUnknown'
        | 'MethodNotAllowed'
        | 'RequestTimeout'
        | 'EndpointExists'
        | 'ReviewExists'
        | 'RuleExists'
        | 'TooManyRules'
        | 'CursorExpired'
        | 'BodyTooLarge'
        | 'UnsupportedMediaType'
        | 'WrongCell'
        | 'UnknownDoctor'
        | 'TooManyGrants'
        | 'TooManyEndpoints'
        | 'RateLimited'
        | 'HeadersTooLarge'
        | 'InternalError'
        | 'Overloaded'
        | 'DatabaseUnavailable'
        | 'IssuerUnavailable'
        | 'PatientMoving'
        | 'TlsRequired'
        | 'CellMissing'
        | 'ServerUnavailable'
      errors?: {
        message: string
        /** @description JSON Pointer to the field; query parameters as /name. */
        pointer: string
      }[]
      /** @description A sentence for people. It never carries personal data. */
      message: string
      /** @description Where a body that cannot be read as JSON without loss is at fault. */
      position?: {
        /** @description Number of bytes before the fault. */
        byte: number
        /** @description In characters. */
        column: number
        line: number
      }
      /** @description The x-request-id of this answer, to quote when asking for help. */
      requestId: string
      /** @description Whether the same request may succeed later, unchanged. */
      retryable: boolean
      /** @enum {string} */
      status: 'error'
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "fev1",
     *       "value": 3.1,
     *       "timestamp": 1762000000000
     *     }
     */
    Fev1Reading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'fev1'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, L is meant.
       * @enum {string}
       */
      unit?: 'L'
      /** @description Possible: 0 to 10 L. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "forcedVitalCapacity",
     *       "value": 4.2,
     *       "timestamp": 1762000000000
     *     }
     */
    ForcedVitalCapacityReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'forcedVitalCapacity'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, L is meant.
       * @enum {string}
       */
      unit?: 'L'
      /** @description Possible: 0 to 12 L. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    GlucoseReport: {
      active: {
        /** @description For how long the sensor was active: a value stands until the next one, at most 15 minutes. */
        seconds: number
        /** @description Of the range, as far as it has passed; null if nothing has. */
        share: number | null
      }
      bands: {
        /** @description Where the band begins; null for the lowest. Low and target include it, high and veryHigh do not. */
        from: number | null
        /** @enum {string} */
        name: 'veryLow' | 'low' | 'target' | 'high' | 'veryHigh'
        readings: number
        /** @description For how long values stood in the band. */
        seconds: number
        /** @description Of the readings, from 0 to 1; null if there are none. */
        share: number | null
        /** @description Where it ends; null for the highest. Target and high include it, veryLow and low do not. A target with below ends before it. */
        to: number | null
      }[]
      /**
       * @description Whether the middle band is the target of the patient, or that of the consensus, as no target is set.
       * @enum {string}
       */
      bandsFrom: 'target' | 'consensus'
      /** @description standardDeviation / mean: 0.36 is 36 %, below which the consensus calls glucose stable. */
      coefficientOfVariation: number | null
      /** @description Number of local days of the range. */
      days: number
      /** @description Glucose management indicator in percent: 3.31 + 0.02392 × mean in mg/dL (Bergenstal 2018, doi 10.2337/dc18-1581). Null unless isEnough. */
      gmi: number | null
      /** @description The highest value; the first one of several. */
      highest: {
        /** Format: date-time */
        measuredAt: string
        value: number
      } | null
      /** @description Whether the range has at least 14 days, and the sensor was active for 70 % of it and of 14 days. */
      isEnough: boolean
      /** @description The lowest value; the first one of several. */
      lowest: {
        /** Format: date-time */
        measuredAt: string
        value: number
      } | null
      /** @description Mean of all values. */
      mean: number | null
      /** @description The 48 half hours of the local day. */
      profile: {
        /** @description Number of readings, of all days. */
        count: number
        /** @description Where it begins, in minutes after midnight on the local clock. */
        minute: number
        /** @description Interpolated between two values; null if there is no reading. */
        p5: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p25: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p50: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p75: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p95: number | null
      }[]
      /** @description Number of readings with a value. */
      readings: number
      source: {
        title: string
        /** Format: uri */
        url: string
        year: number
      }
      /** @description Of the sample (n − 1). */
      standardDeviation: number | null
      /** @description The target of the patient; null if none is set. */
      target: components['schemas']['Target'] | null
      /**
       * @description Of every value in the report.
       * @enum {string}
       */
      unit: 'mmol/L' | 'mg/dL'
    }
    /**
     * @description What a patient shares with a doctor.
     * @example {
     *       "patientUid": "patient-1",
     *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *       "permission": "view",
     *       "readingTypes": [
     *         "bloodPressure",
     *         "heartRate"
     *       ],
     *       "validUntil": "2099-12-31T22:59:59.000Z",
     *       "sharedAs": "Mia Example, born 2017",
     *       "state": "given",
     *       "changedBy": "mia-example",
     *       "changedAt": "2026-11-17T08:15:30.125460Z"
     *     }
     */
    Grant: {
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      changedAt: string
      /** @description Who gave, changed or revoked it: the subject of the token. `the doctor left the directory` where an import of the directory ended it. */
      changedBy: string
      /**
       * @description Unique id of the doctor, as doctors/list gave it.
       * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
       */
      doctorId: string
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @example view
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /** @enum {string} */
      state: 'given' | 'revoked' | 'expired'
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    /** @description What was done with a grant, and what it said from then on, or until it was revoked. */
    GrantChange: {
      /** @enum {string} */
      action: 'give' | 'change' | 'revoke'
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      at: string
      /** @description Who did it: the subject of the token. `the doctor left the directory` where an import of the directory ended it. */
      by: string
      /**
       * @description Unique id of the doctor, as doctors/list gave it.
       * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
       */
      doctorId: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @example view
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "headCircumference",
     *       "value": 38.5,
     *       "timestamp": 1762000000000
     *     }
     */
    HeadCircumferenceReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'headCircumference'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, cm is meant.
       * @enum {string}
       */
      unit?: 'cm'
      /** @description Possible: 10 to 100 cm. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "heartRate",
     *       "value": 72,
     *       "context": "resting",
     *       "timestamp": 1762000000000
     *     }
     */
    HeartRateReading: {
      /** @description As the device has it. */
      context?: string | number | boolean
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'heartRate'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, /min is meant.
       * @enum {string}
       */
      unit?: '/min'
      /** @description Possible: 1 to 350 /min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "heartRateVariabilityRmssd",
     *       "value": 39,
     *       "timestamp": 1762000000000
     *     }
     */
    HeartRateVariabilityRmssdReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'heartRateVariabilityRmssd'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, ms is meant.
       * @enum {string}
       */
      unit?: 'ms'
      /** @description Possible: 0 to 1000 ms. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "heartRateVariabilitySdnn",
     *       "value": 48,
     *       "timestamp": 1762000000000
     *     }
     */
    HeartRateVariabilitySdnnReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'heartRateVariabilitySdnn'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, ms is meant.
       * @enum {string}
       */
      unit?: 'ms'
      /** @description Possible: 0 to 1000 ms. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "interstitialGlucose",
     *       "value": 6.1,
     *       "unit": "mmol/L",
     *       "trend": "rising",
     *       "timestamp": 1762000000000
     *     }
     */
    InterstitialGlucoseReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @enum {string} */
      outOfRange?: 'low' | 'high'
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'interstitialGlucose'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /** @description As the device has it. */
      trend?: string | number | boolean
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'mmol/L' | 'mg/dL'
      /** @description Possible: 0 to 55 mmol/L, or 0 to 990.86 mg/dL. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description A patient who shares readings with the doctor, with what is known of the last weeks. */
    ListedPatient: {
      /** @description Since when changes of this patient wait to be in the list; null while it is up to date. */
      behindSince: string | null
      daysWithData: {
        /** @description The last local days that are looked at: 30. */
        days: number
        /** @description On how many of them a device has measured something. */
        fromDevices: number
        /** @description On how many of them something was measured. */
        withData: number
      }
      /** @description By which patients of a status are ordered, the last one first, behind those with an urgent alert. */
      decidedAt: string | null
      /** @description Whether something was measured since your last review. */
      isNew: boolean
      /** @description Whether the summary is being made for the first time: until then `types` is empty. */
      isPreparing: boolean
      /** @description When something was measured last, in UTC. */
      lastReadingAt: string | null
      /** @description Your last review; null if there is none. */
      lastReview: {
        /**
         * Format: date-time
         * @description When that was, in UTC.
         */
        at: string
        /** @description Null without one. */
        note: string | null
      } | null
      /** @description Alerts that are open and neither acknowledged nor snoozed; null where alerts are switched off. */
      openAlerts: {
        /** @description Of this severity. */
        notice: number
        /** @description Of this severity. */
        urgent: number
        /** @description Of this severity. */
        warning: number
      } | null
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @example view
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /** @description Alerts that are open all the same, because the readings have not ended them; null where alerts are switched off. */
      quietAlerts: {
        /** @description By any doctor. */
        acknowledged: number
        /** @description And not acknowledged. */
        snoozed: number
      } | null
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description Why, in one sentence, with times in the zone that was asked for, written as in the English that Accept-Language names; default: en-GB. */
      reason: string
      /** @description The rule behind the status, in the same English; null where nothing is judged. */
      rule: {
        /** @description The alert, where the kind is openAlert; else null. */
        alertId: string | null
        /** @enum {string} */
        kind: 'openAlert' | 'newestOutside' | 'readingOutside' | 'goal' | 'shareFell' | 'noReading'
        /** @description The type whose readings it was applied to. */
        readingType: string
        /** @description The rule as a sentence, and who set it. */
        text: string
      } | null
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /**
       * Format: date-time
       * @description When the patient began to share, in UTC.
       */
      sharedSince: string
      /**
       * @description The first that applies. attention: an alert of severity urgent or warning waits for a doctor, or the newest reading is outside the target. review: a reading was, or too few are in target. worse: the share in target fell. silent: readings stopped. preparing: the summary is being made. noData: there are targets, and no readings of 14 days to compare, or too few to judge their share. reviewed: one of the first three, and you have looked since. inTarget: none of these. noTarget: no target is set, so nothing is judged.
       * @enum {string}
       */
      status:
        | 'attention'
        | 'review'
        | 'worse'
        | 'silent'
        | 'preparing'
        | 'noData'
        | 'reviewed'
        | 'inTarget'
        | 'noTarget'
      /** @description Each type of the catalogue that has readings or a target, those with targets first. */
      types: {
        /** @description Number of readings of 14 days in the bands of the preset sensor-glucose; null with any other target. */
        bands: {
          high: number
          in: number
          low: number
          /** @description Above the outer bound. */
          veryHigh: number
          /** @description Below the outer bound. */
          veryLow: number
        } | null
        /** @description Those of the last 14 local days that have readings. */
        days: {
          /**
           * Format: date
           * @description The local date.
           */
          date: string
          /** @description The numbers by their fields, in the unit of the type; those of a field that has its own unit in that. */
          highest: {
            [key: string]: number
          }
          /** @description How many of them have no number outside its target. */
          inTarget: number
          /** @description How many readings have a number in a field that has a target. */
          judged: number
          /** @description The numbers by their fields, in the unit of the type; those of a field that has its own unit in that. */
          lowest: {
            [key: string]: number
          }
          readings: number
        }[]
        /** @description The reading of the last 14 days that is farthest outside the target, or outside the outer bounds of the preset sensor-glucose; null if none is. */
        farthest: {
          /**
           * Format: date-time
           * @description When it was measured, in UTC.
           */
          at: string
          /** @enum {string} */
          side: 'below' | 'above'
          /** @description The numbers by their fields, in the unit of the type; those of a field that has its own unit in that. */
          values: {
            [key: string]: number
          }
        } | null
        /** @description The reading that was measured last; null if there is none. */
        newest: {
          /**
           * Format: date-time
           * @description When it was measured, in UTC.
           */
          at: string
          /** @description Each field that has a target. */
          sides: {
            [key: string]: 'below' | 'in' | 'above'
          }
          /** @description The numbers by their fields, in the unit of the type; those of a field that has its own unit in that. */
          values: {
            [key: string]: number
          }
        } | null
        /** @description A type of the catalogue. */
        readingType: string
        /** @description The last 14 local days against the targets that are set now; null if none is set. */
        share: {
          /** @description The same of the 14 days before. */
          before: {
            /** @description How many of them have no number outside its target. */
            inTarget: number
            /** @description How many readings have a number in a field that has a target. */
            judged: number
          }
          /** @description How many of them have no number outside its target. */
          inTarget: number
          /** @description How many readings have a number in a field that has a target. */
          judged: number
        } | null
        /** @description The targets that are set now. */
        targets: {
          /** @description Values in target are below this one, which is not; null for none. */
          below: number | null
          /** @description The field of the reading that is compared. */
          field: string
          /** @description The highest value in target; null for none. */
          high: number | null
          /** @description A text beside it, such as why it was chosen; null for none. */
          label: string | null
          /** @description The lowest value in target; null for none. */
          low: number | null
          /** @description The published target that was chosen; null for none. */
          preset: string | null
          /**
           * Format: date-time
           * @description When that was, in UTC.
           */
          setAt: string
          /** @description Who set it: the subject of the token. */
          setBy: string
          /** @description The unit of the bounds, in UCUM. */
          unit: string
        }[]
        /** @description The unit of the target; without one the first of the type. */
        unit: string
      }[]
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "meanArterialPressure",
     *       "value": 93,
     *       "timestamp": 1762000000000
     *     }
     */
    MeanArterialPressureReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'meanArterialPressure'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, mm[Hg] is meant.
       * @enum {string}
       */
      unit?: 'mm[Hg]'
      /** @description Possible: 10 to 300 mm[Hg]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @description A reading of any type that is not in the catalogue, with whatever fields it brings.
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "acme.grip",
     *       "newtons": 310,
     *       "timestamp": 1762000000000
     *     }
     */
    OtherReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @description Any type that is not in the catalogue, nor one of the catalogue but for case, blanks, dashes or underscores. */
      readingType: string
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "oxygenSaturation",
     *       "value": 97,
     *       "supplementalOxygen": false,
     *       "timestamp": 1762000000000
     *     }
     */
    OxygenSaturationReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'oxygenSaturation'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description As the device has it. */
      supplementalOxygen?: string | number | boolean
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, % is meant.
       * @enum {string}
       */
      unit?: '%'
      /** @description Possible: 0 to 100 %. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "painScore",
     *       "value": 4,
     *       "site": "lower back",
     *       "timestamp": 1762000000000
     *     }
     */
    PainScoreReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'painScore'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description As the device has it. */
      site?: string | number | boolean
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, {score} is meant.
       * @enum {string}
       */
      unit?: '{score}'
      /** @description Possible: 0 to 10 {score}. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "peakExpiratoryFlow",
     *       "value": 430,
     *       "timestamp": 1762000000000
     *     }
     */
    PeakExpiratoryFlowReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'peakExpiratoryFlow'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, L/min is meant.
       * @enum {string}
       */
      unit?: 'L/min'
      /** @description Possible: 0 to 1000 L/min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description A reading. Fields beyond those named are kept and returned as they were sent. */
    Reading: components['schemas']['CatalogueReading'] | components['schemas']['OtherReading']
    /**
     * @description Where the reading comes from. It is part of the content, as any field.
     * @example {
     *       "kind": "device",
     *       "device": {
     *         "name": "Cuff 2",
     *         "manufacturer": "Example Devices",
     *         "model": "EX-200",
     *         "serial": "123"
     *       },
     *       "app": {
     *         "name": "Example Health",
     *         "version": "4.1"
     *       }
     *     }
     */
    ReadingSource: {
      app?: {
        /** @description The program that sent the reading, or into which it was typed. */
        name: string
        /** @description Its version. */
        version?: string
      }
      device?: {
        /** @description Who made it. */
        manufacturer?: string
        /** @description The number or name of its model. */
        model?: string
        /** @description What people call the device. */
        name: string
        /** @description Its serial number. */
        serial?: string
      }
      /**
       * @description Whether a device sent it, a person typed it in, or it was imported from another record or system.
       * @enum {string}
       */
      kind: 'device' | 'manual' | 'import'
    }
    ReadingTypeEntry: {
      example: components['schemas']['CatalogueReading']
      /** @description LOINC codes that mean this type. */
      loinc: string[]
      numbers: {
        /** @description The field that it must be below, if any. */
        below: string | null
        /** @description Name of the field of the reading. */
        field: string
        isRequired: boolean
        isWhole: boolean
        /** @description One for each unit that it may be sent in. */
        ranges: {
          /** @description LOINC code of the number in this unit. */
          loinc: string | null
          /** @description Ask a person who types a number outside whether it is right. It is no reference range: do not draw it, and do not call a number within it normal. */
          plausible: {
            least: number
            most: number
          } | null
          /** @description A number outside is refused. */
          possible: {
            least: number
            most: number
          }
          /** @description In UCUM. */
          unit: string
        }[]
      }[]
      readingType: string
      /** @description JSON Schema (2020-12) of a reading as it is sent. */
      schema: {
        [key: string]: unknown
      }
      /** @description What `unit` may be, in UCUM. Where there is one, it may be left out; where there are several, it is required. */
      units: string[]
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "respiratoryRate",
     *       "value": 16,
     *       "timestamp": 1762000000000
     *     }
     */
    RespiratoryRateReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'respiratoryRate'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, /min is meant.
       * @enum {string}
       */
      unit?: '/min'
      /** @description Possible: 0 to 150 /min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "restingHeartRate",
     *       "value": 61,
     *       "timestamp": 1762000000000
     *     }
     */
    RestingHeartRateReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'restingHeartRate'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, /min is meant.
       * @enum {string}
       */
      unit?: '/min'
      /** @description Possible: 1 to 300 /min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @description A doctor has looked at the readings of a patient.
     * @example {
     *       "reviewId": "5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37",
     *       "patientUid": "patient-1",
     *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *       "reviewedBy": "dr-willow",
     *       "note": "Looks steady. We keep the dose.",
     *       "at": "2026-11-17T08:15:30.125460Z"
     *     }
     */
    Review: {
      /**
       * Format: date-time
       * @description When the review was added, in UTC.
       */
      at: string
      /**
       * @description Unique id of the doctor, as doctors/list gave it.
       * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
       */
      doctorId: string
      /** @description What the doctor says about it; null for nothing. */
      note: string | null
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Who looked: the subject of the token. */
      reviewedBy: string
      /** Format: uuid */
      reviewId: string
    }
    /**
     * @description What a doctor wants to be notified of. Exactly one of threshold, sustained, change and missing is set.
     * @example {
     *       "patientUid": "patient-1",
     *       "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
     *       "readingType": "heartRate",
     *       "field": "value",
     *       "unit": "/min",
     *       "severity": "urgent",
     *       "threshold": null,
     *       "sustained": {
     *         "above": 130,
     *         "count": 3,
     *         "of": 4
     *       },
     *       "change": null,
     *       "missing": null,
     *       "clear": {
     *         "below": 120,
     *         "count": 2
     *       },
     *       "repeat": null,
     *       "escalateAfter": "PT30M",
     *       "maxAge": "PT2H",
     *       "label": "Agreed in October",
     *       "template": "Fast heart rate",
     *       "setBy": "dr-willow",
     *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *       "setAt": "2026-11-17T08:15:30.125460Z"
     *     }
     */
    Rule: {
      /** @description Holds if a value is so much above the lowest of the time before it, or below the highest if by is negative. */
      change: {
        /** @description By how much. */
        by: number
        /** @description Within this time, as ISO 8601 writes it. */
        within: string
      } | null
      /** @description When an alert resolves: after count readings in a row that are clear. Without a bound: at which the rule does not hold. Null for missing, which resolves at the next reading. */
      clear: {
        /** @description Values greater than this one. */
        above?: number
        /** @description Values no less than this one. */
        atLeast?: number
        /** @description Values no greater than this one. */
        atMost?: number
        /** @description Values less than this one. */
        below?: number
        /** @description How many readings in a row. */
        count: number
      } | null
      /**
       * @description Unique id of the doctor, as doctors/list gave it.
       * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
       */
      doctorId: string
      /** @description After which time an alert that no doctor acknowledged is escalated; null for never. */
      escalateAfter: string | null
      /** @description The field of the reading; null for missing, which looks at no value. */
      field: string | null
      /** @description A text beside it, such as why it was chosen; null for none. */
      label: string | null
      /** @description Alerts by readings that arrive later than this are recorded, and not announced; null for missing. */
      maxAge: string | null
      /** @description Holds if no reading of the type was measured for a time. */
      missing: {
        /** @description For this time, as ISO 8601 writes it. */
        for: string
      } | null
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description A type of the catalogue. */
      readingType: string
      /** @description After which time an open alert is announced again; null for never. */
      repeat: string | null
      /** Format: uuid */
      ruleId: string
      /**
       * Format: date-time
       * @description When that was, in UTC. It looks at readings that were measured from then on.
       */
      setAt: string
      /** @description Who set it: the subject of the token. */
      setBy: string
      /**
       * @description How much it matters.
       * @enum {string}
       */
      severity: 'notice' | 'warning' | 'urgent'
      /** @description Holds if count of the last readings are beyond the bound, or all of them throughout a time. */
      sustained: {
        /** @description Values greater than this one. */
        above?: number
        /** @description Values less than this one. */
        below?: number
        /** @description How many of the last readings. */
        count?: number
        /** @description Throughout this time, as ISO 8601 writes it. */
        for?: string
        /** @description Of how many. */
        of?: number
      } | null
      /** @description The name that it shares with the same rule of other patients; null for none. */
      template: string | null
      /** @description Holds at every reading beyond the bound. */
      threshold: {
        /** @description Values greater than this one. */
        above?: number
        /** @description Values less than this one. */
        below?: number
      } | null
      /** @description The unit of the bounds, in UCUM; null for missing. */
      unit: string | null
    }
    /**
     * @description What a rule would have done.
     * @example {
     *       "from": "2026-08-19T08:15:30.125Z",
     *       "to": "2026-11-17T08:15:30.125Z",
     *       "readings": 2160,
     *       "isCut": false,
     *       "alerts": [
     *         {
     *           "openedAt": "2026-11-17T08:14:58.000Z",
     *           "until": null,
     *           "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
     *           "readings": [
     *             {
     *               "readingId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *               "measuredAt": "2026-11-17T08:14:58.000Z",
     *               "value": 142,
     *               "unit": "/min"
     *             }
     *           ]
     *         }
     *       ],
     *       "count": 1,
     *       "openFor": 32125,
     *       "longest": 32125,
     *       "perWeek": 0.1
     *     }
     */
    RulePreview: {
      /** @description The alerts, newest first, at most 200. */
      alerts: {
        /**
         * Format: date-time
         * @description When the reading was measured by which it would have opened, or when one was missing.
         */
        openedAt: string
        /** @description The readings by which it would have opened, at most 20. */
        readings: {
          /**
           * Format: date-time
           * @description When it was measured, in UTC.
           */
          measuredAt: string
          /** Format: uuid */
          readingId: string
          /** @description Its unit, in UCUM. */
          unit: string | null
          /** @description The value of the field as it was sent; null where readings are missing. */
          value: number | null
        }[]
        /**
         * Format: date-time
         * @description When the reading was measured that would have ended it; null if it would be open now.
         */
        until: string | null
        /** @description One sentence. */
        why: string
      }[]
      /** @description How many alerts there would have been. */
      count: number
      /**
       * Format: date-time
       * @description From when on readings were looked at, in UTC.
       */
      from: string
      /** @description Whether there were more than 50,000: then only the newest were looked at, and from says since when. */
      isCut: boolean
      /** @description How long the longest of them would have been open, in milliseconds. */
      longest: number
      /** @description How long they would have been open in total, in milliseconds. */
      openFor: number
      /** @description How many alerts a week, with one decimal. */
      perWeek: number
      /** @description How many readings of the type were looked at. */
      readings: number
      /**
       * Format: date-time
       * @description Until when: now.
       */
      to: string
    }
    /** @description A patient who shares readings with the doctor. */
    SharingPatient: {
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @example view
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /**
       * Format: date-time
       * @description When the patient began to share, in UTC.
       */
      sharedSince: string
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "sleep",
     *       "value": 432,
     *       "deep": 80,
     *       "rem": 95,
     *       "startedAt": 1761955200,
     *       "timestamp": 1762000000000
     *     }
     */
    SleepReading: {
      /** @description Possible: 0 to 1440 min. */
      awake?: number
      /** @description Possible: 0 to 1440 min. */
      deep?: number
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Possible: 0 to 1440 min. */
      light?: number
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'sleep'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description Possible: 0 to 1440 min. */
      rem?: number
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1761955200
       */
      startedAt?: number
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, min is meant.
       * @enum {string}
       */
      unit?: 'min'
      /** @description Possible: 0 to 1440 min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "slug": "Ear, Nose & Throat",
     *       "title": "Ear, Nose & Throat",
     *       "created": "2026-01-15T09:30:00.000Z",
     *       "isActive": true,
     *       "specialityId": "2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11"
     *     }
     */
    Speciality: {
      /**
       * Format: date-time
       * @description UTC, with milliseconds.
       */
      created: string
      isActive: boolean
      /** @description The same text as title. */
      slug: string
      /** @description Unique id of the specialty. */
      specialityId: string
      /** @description Display name of the specialty. */
      title: string
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "stepCount",
     *       "value": 4210,
     *       "startedAt": 1761955200,
     *       "timestamp": 1762000000000
     *     }
     */
    StepCountReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'stepCount'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1761955200
       */
      startedAt?: number
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, {steps} is meant.
       * @enum {string}
       */
      unit?: '{steps}'
      /** @description Possible: 0 to 1000000 {steps}. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description The reading as it was sent, and three fields that the service adds. */
    StoredReading: {
      /**
       * Format: date-time
       * @description The instant of timestamp, in UTC.
       */
      measuredAt: string
      patientUid: string
      /**
       * Format: uuid
       * @description Derived from the content of the reading.
       */
      readingId: string
      readingType: string
      /** Format: date-time */
      receivedAt: string
      /** @description The number exactly as it was sent. */
      timestamp: number
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "symptom",
     *       "symptoms": [
     *         {
     *           "symptom": "headache",
     *           "severity": "MODERATE"
     *         }
     *       ],
     *       "timestamp": 1762000000000
     *     }
     */
    SymptomReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'symptom'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      symptoms: {
        /** @description An upper-case label; MILD, MODERATE and SEVERE are the usual ones. */
        severity: string
        symptom: string
      }[]
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /**
     * @description What a field of the readings is compared with. At least one bound is set; high and below exclude each other.
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "interstitialGlucose",
     *       "field": "value",
     *       "low": 70,
     *       "high": 180,
     *       "below": null,
     *       "unit": "mg/dL",
     *       "label": "Agreed in October",
     *       "preset": null,
     *       "setBy": "dr-willow",
     *       "allowedAs": "grant",
     *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *       "setAt": "2026-11-17T08:15:30.125460Z"
     *     }
     */
    Target: {
      /**
       * @description patient: the token names the patient. grant: the patient shares with the doctor, with the permission manage.
       * @enum {string}
       */
      allowedAs: 'patient' | 'grant'
      /** @description Values in target are below this one, which is not; null for none. */
      below: number | null
      /** @description The doctor who changed it under a grant; null for the patient and carers. */
      doctorId: string | null
      /** @description The field of the reading that is compared. */
      field: string
      /** @description The highest value in target; null for none. */
      high: number | null
      /** @description A text beside it, such as why it was chosen; null for none. */
      label: string | null
      /** @description The lowest value in target; null for none. */
      low: number | null
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description The published target that was chosen; null for none. */
      preset: string | null
      /** @description A type of the catalogue. */
      readingType: string
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      setAt: string
      /** @description Who set it: the subject of the token. */
      setBy: string
      /** @description The unit of the bounds, in UCUM. */
      unit: string
    }
    /** @description What was done with a target, and what it said from then on, or until it was removed. */
    TargetChange: {
      /** @enum {string} */
      action: 'set' | 'remove'
      /**
       * @description patient: the token names the patient. grant: the patient shares with the doctor, with the permission manage.
       * @enum {string}
       */
      allowedAs: 'patient' | 'grant'
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      at: string
      /** @description Values in target are below this one, which is not; null for none. */
      below: number | null
      /** @description Who did it: the subject of the token. */
      by: string
      /** @description The doctor who changed it under a grant; null for the patient and carers. */
      doctorId: string | null
      /** @description The field of the reading that is compared. */
      field: string
      /** @description The highest value in target; null for none. */
      high: number | null
      /** @description A text beside it, such as why it was chosen; null for none. */
      label: string | null
      /** @description The lowest value in target; null for none. */
      low: number | null
      /** @description The published target that was chosen; null for none. */
      preset: string | null
      /** @description A type of the catalogue. */
      readingType: string
      /** @description The unit of the bounds, in UCUM. */
      unit: string
    }
    TargetPreset: {
      /** @description Its name, for targets/set. */
      preset: string
      readingType: string
      source: {
        /** @description The publication that recommends it. */
        title: string
        /** Format: uri */
        url: string
        year: number
      }
      title: string
      /** @description What it sets, in each unit in which it is published. */
      units: {
        [key: string]: {
          /** @description Values in target are below this one, which is not; null for none. */
          below: number | null
          field: string
          /** @description The highest value in target; null for none. */
          high: number | null
          /** @description The lowest value in target; null for none. */
          low: number | null
        }[]
      }
    }
    TimeInTargetReport: {
      /** @description All days of the range, in order. */
      days: {
        /**
         * Format: date
         * @description The local date.
         */
        date: string
        /** @description How many of the judged ones are in target; null if none is set. */
        inTarget: number | null
        judged: number
        readings: number
      }[]
      /** @description Each field that has a target. */
      fields: {
        [key: string]: {
          /** @description Number of readings below, in and above the target. */
          readings: {
            above: number
            below: number
            in: number
          }
          /** @description For how long values were below, in and above it. */
          seconds: {
            above: number
            below: number
            in: number
          }
          target: components['schemas']['Target']
        }
      }
      /** @description How many of the judged ones have no number outside its target; null if none is set. */
      inTarget: number | null
      /** @description How many of them have a number in a field that has a target. */
      judged: number
      /** @description Number of readings of the type. */
      readings: number
      readingType: string
      /** @description The same as time: a value stands until the next reading of the type, at most 15 minutes for interstitialGlucose and 24 hours for any other type, and not beyond the range or now. Null if no target is set. */
      seconds: {
        /** @description For how long values in target stood. */
        inTarget: number
        /** @description For how long judged values stood. */
        judged: number
      } | null
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "waistCircumference",
     *       "value": 88,
     *       "timestamp": 1762000000000
     *     }
     */
    WaistCircumferenceReading: {
      /**
       * @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.
       * @example {
       *       "identifier": [
       *         {
       *           "system": "urn:example:hub",
       *           "value": "17"
       *         }
       *       ]
       *     }
       */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /**
       * @description Unique id of the patient. It must be in the token; it is compared exactly.
       * @example patient-1
       */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'waistCircumference'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /**
       * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
       * @example 1762000000000
       */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, cm is meant.
       * @enum {string}
       */
      unit?: 'cm'
      /** @description Possible: 10 to 400 cm. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  listDoctors: {
    parameters: {
      query?: {
        /** @description Only doctors in this city, in any case, accents ignored. */
        city?: string
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Only the doctors with these ids; may be repeated. */
        doctorId?: string[]
        /** @description Only doctors who speak it; `en` also finds `en-IN`. */
        language?: string
        /**
         * @description Maximum number of doctors per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Part of a name, in any case, accents ignored. Fewer than three letters or digits in a row match the beginning of a word.
         * @example willow
         */
        q?: string
        /** @description Only doctors with this specialty. */
        specialityId?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Doctors, ordered by name. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Doctor'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
            /** @enum {string} */
            status: 'success'
          }
        }
      }
      /** @description Not modified: If-None-Match names this page. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listSpecialities: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All specialities, active or not, ordered by title. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Specialities obtained successfully.",
           *       "data": [
           *         {
           *           "slug": "Ear, Nose & Throat",
           *           "title": "Ear, Nose & Throat",
           *           "created": "2026-01-15T09:30:00.000Z",
           *           "isActive": true,
           *           "specialityId": "2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            data: components['schemas']['Speciality'][]
            message: string
            /** @enum {string} */
            status: 'success'
          }
        }
      }
      /** @description Not modified: If-None-Match names this list. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  acknowledgeAlert: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "alertId": "d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63",
         *       "note": "Called: resting, feels well."
         *     }
         */
        'application/json': {
          /**
           * @description Id of the alert, as alerts/list gives it.
           * @example d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63
           */
          alertId: string
          /**
           * @description What the doctor says about it. The patient reads it.
           * @example Called: resting, feels well.
           */
          note?: string
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The alert is acknowledged.",
           *       "data": {
           *         "alertId": "d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63",
           *         "patientUid": "patient-1",
           *         "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *         "severity": "urgent",
           *         "state": "acknowledged",
           *         "readingType": "heartRate",
           *         "field": "value",
           *         "since": "2026-11-17T08:14:58.000Z",
           *         "openedAt": "2026-11-17T08:15:02.125460Z",
           *         "until": null,
           *         "resolvedAt": null,
           *         "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
           *         "readings": [
           *           {
           *             "readingId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *             "measuredAt": "2026-11-17T08:14:58.000Z",
           *             "value": 142,
           *             "unit": "/min"
           *           }
           *         ],
           *         "quiet": null,
           *         "announcedAt": "2026-11-17T08:15:02.301200Z",
           *         "escalatedAt": null,
           *         "acknowledged": {
           *           "at": "2026-11-17T08:21:40.017302Z",
           *           "by": "dr-willow",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "note": "Called: resting, feels well."
           *         },
           *         "snoozed": null,
           *         "rule": {
           *           "patientUid": "patient-1",
           *           "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *           "readingType": "heartRate",
           *           "field": "value",
           *           "unit": "/min",
           *           "severity": "urgent",
           *           "threshold": null,
           *           "sustained": {
           *             "above": 130,
           *             "count": 3,
           *             "of": 4
           *           },
           *           "change": null,
           *           "missing": null,
           *           "clear": {
           *             "below": 120,
           *             "count": 2
           *           },
           *           "repeat": null,
           *           "escalateAfter": "PT30M",
           *           "maxAge": "PT2H",
           *           "label": "Agreed in October",
           *           "template": "Fast heart rate",
           *           "setBy": "dr-willow",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "setAt": "2026-11-17T08:15:30.125460Z"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Alert']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  alertHistory: {
    parameters: {
      query: {
        /**
         * @description Id of the alert, as alerts/list gives it.
         * @example d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63
         */
        alertId: string
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of events per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Events, oldest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "History of the alert obtained successfully.",
           *       "data": [
           *         {
           *           "event": "acknowledged",
           *           "at": "2026-11-17T08:21:40.017302Z",
           *           "severity": "urgent",
           *           "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
           *           "isAnnounced": true,
           *           "by": "dr-willow",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "note": "Called: resting, feels well.",
           *           "snoozedUntil": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['AlertEvent'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listAlerts: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of alerts per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /**
         * @description Only alerts of this severity; may be repeated.
         * @example [
         *       "urgent",
         *       "warning"
         *     ]
         */
        severity?: ('urgent' | 'warning' | 'notice')[]
        /**
         * @description Only alerts in this state; active, the default, is open and acknowledged.
         * @example active
         */
        state?: 'active' | 'open' | 'acknowledged' | 'pending' | 'resolved' | 'retracted' | 'all'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Alerts, in their order. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Alerts obtained successfully.",
           *       "behindSince": null,
           *       "counts": {
           *         "open": {
           *           "urgent": 1,
           *           "warning": 0,
           *           "notice": 0
           *         },
           *         "acknowledged": 0,
           *         "snoozed": 0,
           *         "beyond": 0
           *       },
           *       "data": [
           *         {
           *           "alertId": "d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63",
           *           "patientUid": "patient-1",
           *           "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *           "severity": "urgent",
           *           "state": "open",
           *           "readingType": "heartRate",
           *           "field": "value",
           *           "since": "2026-11-17T08:14:58.000Z",
           *           "openedAt": "2026-11-17T08:15:02.125460Z",
           *           "until": null,
           *           "resolvedAt": null,
           *           "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
           *           "readings": [
           *             {
           *               "readingId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *               "measuredAt": "2026-11-17T08:14:58.000Z",
           *               "value": 142,
           *               "unit": "/min"
           *             }
           *           ],
           *           "quiet": null,
           *           "announcedAt": "2026-11-17T08:15:02.301200Z",
           *           "escalatedAt": null,
           *           "acknowledged": null,
           *           "snoozed": null,
           *           "rule": {
           *             "patientUid": "patient-1",
           *             "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *             "readingType": "heartRate",
           *             "field": "value",
           *             "unit": "/min",
           *             "severity": "urgent",
           *             "threshold": null,
           *             "sustained": {
           *               "above": 130,
           *               "count": 3,
           *               "of": 4
           *             },
           *             "change": null,
           *             "missing": null,
           *             "clear": {
           *               "below": 120,
           *               "count": 2
           *             },
           *             "repeat": null,
           *             "escalateAfter": "PT30M",
           *             "maxAge": "PT2H",
           *             "label": "Agreed in October",
           *             "template": "Fast heart rate",
           *             "setBy": "dr-willow",
           *             "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *             "setAt": "2026-11-17T08:15:30.125460Z"
           *           },
           *           "sharedAs": "Mia Example, born 2017"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /**
             * Format: date-time
             * @description Since when changes wait to be evaluated, where that is more than ten seconds; null while the list is up to date.
             */
            behindSince: string | null
            /** @description Only where patients are divided between cells: for which of them the answer speaks. */
            cell?: {
              /**
               * @description Parts are merged in this order of key.
               * @enum {string}
               */
              order: 'asc' | 'desc'
              /** @description Where each patient of data stands, in the same order. */
              places: {
                /** @description In any cell: where the list goes on after this patient. */
                cursor: string
                /** @description Numbers are compared by size, texts by code points; the first that differ decide. */
                key: (string | number)[]
              }[]
              /**
               * @description The slots of patients that this cell serves. The parts of all cells are the whole list if every slot from 0 to 4095 is in exactly one of them.
               * @example 0-2047,3072
               */
              slots: string
            }
            /** @enum {string} */
            code: 'Ok'
            /** @description In the list of a doctor: all that is open. State and severity do not change it. */
            counts?: {
              /** @description Open alerts that are acknowledged. */
              acknowledged: number
              /** @description How many patients are left out because more than 10000 share. */
              beyond: number
              /** @description Open alerts that are neither acknowledged nor snoozed. */
              open: {
                notice: number
                urgent: number
                warning: number
              }
              /** @description Open alerts that are snoozed and not acknowledged. */
              snoozed: number
            }
            data: components['schemas']['Alert'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The list is the one that If-None-Match names. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  snoozeAlert: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "alertId": "d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63",
         *       "until": "2026-11-17T12:15:00Z"
         *     }
         */
        'application/json': {
          /**
           * @description Id of the alert, as alerts/list gives it.
           * @example d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63
           */
          alertId: string
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /**
           * @description When the snooze ends, at most 7 days ahead. A time that is over ends it now.
           * @example 2026-11-17T12:15:00Z
           */
          until: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The alert is snoozed.",
           *       "data": {
           *         "alertId": "d2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63",
           *         "patientUid": "patient-1",
           *         "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *         "severity": "urgent",
           *         "state": "open",
           *         "readingType": "heartRate",
           *         "field": "value",
           *         "since": "2026-11-17T08:14:58.000Z",
           *         "openedAt": "2026-11-17T08:15:02.125460Z",
           *         "until": null,
           *         "resolvedAt": null,
           *         "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
           *         "readings": [
           *           {
           *             "readingId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *             "measuredAt": "2026-11-17T08:14:58.000Z",
           *             "value": 142,
           *             "unit": "/min"
           *           }
           *         ],
           *         "quiet": null,
           *         "announcedAt": "2026-11-17T08:15:02.301200Z",
           *         "escalatedAt": null,
           *         "acknowledged": null,
           *         "snoozed": {
           *           "until": "2026-11-17T12:15:00.000Z",
           *           "by": "dr-willow",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10"
           *         },
           *         "rule": {
           *           "patientUid": "patient-1",
           *           "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *           "readingType": "heartRate",
           *           "field": "value",
           *           "unit": "/min",
           *           "severity": "urgent",
           *           "threshold": null,
           *           "sustained": {
           *             "above": 130,
           *             "count": 3,
           *             "of": 4
           *           },
           *           "change": null,
           *           "missing": null,
           *           "clear": {
           *             "below": 120,
           *             "count": 2
           *           },
           *           "repeat": null,
           *           "escalateAfter": "PT30M",
           *           "maxAge": "PT2H",
           *           "label": "Agreed in October",
           *           "template": "Fast heart rate",
           *           "setBy": "dr-willow",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "setAt": "2026-11-17T08:15:30.125460Z"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Alert']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listMyPatients: {
    parameters: {
      query?: {
        /**
         * @description asOf of an earlier answer: only patients of whom something may have changed since, and all who share only some types.
         * @example 7b1d4f0a-3c52-4e19-a4d7-9e8f2c6b5a10.1.4711
         */
        changedSince?: string
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Only patients whose name or id contains it, ignoring case and accents.
         * @example mia
         */
        find?: string
        /**
         * @description true: only patients of whom something was measured since your last review; false: only the others.
         * @example true
         */
        isNew?: 'true' | 'false'
        /**
         * @description Maximum number of patients per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Default: those who need attention, the least share in target, the fewest days with data, and the readings and reviews that are longest ago come first.
         * @example asc
         */
        order?: 'asc' | 'desc'
        /**
         * @description Days without a reading of a type that has a target, after which a patient is silent. Without it none is.
         * @example 3
         */
        silentAfter?: number
        /**
         * @description By what patients are ordered; default: attention.
         * @example attention
         */
        sort?: 'attention' | 'name' | 'share' | 'daysWithData' | 'lastReading' | 'lastReview'
        /**
         * @description Only patients with this status; may be repeated.
         * @example [
         *       "attention",
         *       "review"
         *     ]
         */
        status?: (
          | 'attention'
          | 'review'
          | 'worse'
          | 'silent'
          | 'preparing'
          | 'noData'
          | 'reviewed'
          | 'inTarget'
          | 'noTarget'
        )[]
        /**
         * @description IANA time zone of the days, such as Europe/Berlin; default: UTC. A doctor may ask in three a day.
         * @example Europe/Berlin
         */
        timeZone?: string
        /**
         * @description Percentage points by which the share in target must have fallen from one fortnight to the next for a patient to be worse. Without it none is.
         * @example 10
         */
        worseBy?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Patients, in the order that was asked for. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Patients obtained successfully.",
           *       "timeZone": "Europe/Berlin",
           *       "asOf": "7b1d4f0a-3c52-4e19-a4d7-9e8f2c6b5a10.1.4711",
           *       "behindSince": null,
           *       "counts": {
           *         "all": 1,
           *         "attention": 1,
           *         "review": 0,
           *         "worse": 0,
           *         "silent": 0,
           *         "preparing": 0,
           *         "noData": 0,
           *         "reviewed": 0,
           *         "inTarget": 0,
           *         "noTarget": 0,
           *         "new": 1,
           *         "beyond": 0
           *       },
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "permission": "manage",
           *           "readingTypes": null,
           *           "validUntil": null,
           *           "sharedAs": "Mia Example, born 2017",
           *           "sharedSince": "2026-11-17T08:15:30.125460Z",
           *           "status": "attention",
           *           "reason": "Blood pressure 178/112 mmHg at 07:40 today, above the target.",
           *           "rule": {
           *             "kind": "newestOutside",
           *             "readingType": "bloodPressure",
           *             "text": "The newest reading is outside the target below 135/85 mmHg, set by dr-willow on 3 October 2026.",
           *             "alertId": null
           *           },
           *           "decidedAt": "2026-11-17T06:40:00.000Z",
           *           "openAlerts": {
           *             "urgent": 0,
           *             "warning": 0,
           *             "notice": 1
           *           },
           *           "quietAlerts": {
           *             "acknowledged": 0,
           *             "snoozed": 0
           *           },
           *           "isPreparing": false,
           *           "isNew": true,
           *           "behindSince": null,
           *           "lastReadingAt": "2026-11-17T06:40:00.000Z",
           *           "lastReview": {
           *             "at": "2026-11-08T10:12:00.000Z",
           *             "note": null
           *           },
           *           "daysWithData": {
           *             "days": 30,
           *             "withData": 24,
           *             "fromDevices": 24
           *           },
           *           "types": [
           *             {
           *               "readingType": "bloodPressure",
           *               "unit": "mm[Hg]",
           *               "newest": {
           *                 "at": "2026-11-17T06:40:00.000Z",
           *                 "values": {
           *                   "systolic": 178,
           *                   "diastolic": 112,
           *                   "pulse": 80
           *                 },
           *                 "sides": {
           *                   "systolic": "above",
           *                   "diastolic": "above"
           *                 }
           *               },
           *               "targets": [
           *                 {
           *                   "field": "systolic",
           *                   "low": null,
           *                   "high": null,
           *                   "below": 135,
           *                   "unit": "mm[Hg]",
           *                   "label": null,
           *                   "preset": "home-blood-pressure-esh",
           *                   "setBy": "dr-willow",
           *                   "setAt": "2026-10-03T09:00:00.000Z"
           *                 },
           *                 {
           *                   "field": "diastolic",
           *                   "low": null,
           *                   "high": null,
           *                   "below": 85,
           *                   "unit": "mm[Hg]",
           *                   "label": null,
           *                   "preset": "home-blood-pressure-esh",
           *                   "setBy": "dr-willow",
           *                   "setAt": "2026-10-03T09:00:00.000Z"
           *                 }
           *               ],
           *               "share": {
           *                 "judged": 22,
           *                 "inTarget": 9,
           *                 "before": {
           *                   "judged": 25,
           *                   "inTarget": 16
           *                 }
           *               },
           *               "bands": null,
           *               "farthest": {
           *                 "at": "2026-11-17T06:40:00.000Z",
           *                 "values": {
           *                   "systolic": 178,
           *                   "diastolic": 112,
           *                   "pulse": 80
           *                 },
           *                 "side": "above"
           *               },
           *               "days": [
           *                 {
           *                   "date": "2026-11-17",
           *                   "readings": 1,
           *                   "judged": 1,
           *                   "inTarget": 0,
           *                   "lowest": {
           *                     "systolic": 178,
           *                     "diastolic": 112,
           *                     "pulse": 80
           *                   },
           *                   "highest": {
           *                     "systolic": 178,
           *                     "diastolic": 112,
           *                     "pulse": 80
           *                   }
           *                 }
           *               ]
           *             }
           *           ]
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @description For changedSince. */
            asOf: string
            /**
             * Format: date-time
             * @description Since when changes are missing from the list, because its follower stands still; null while it is up to date.
             */
            behindSince: string | null
            /** @description Only where patients are divided between cells: for which of them the answer speaks. */
            cell?: {
              /**
               * @description Parts are merged in this order of key.
               * @enum {string}
               */
              order: 'asc' | 'desc'
              /** @description Where each patient of data stands, in the same order. */
              places: {
                /** @description In any cell: where the list goes on after this patient. */
                cursor: string
                /** @description Numbers are compared by size, texts by code points; the first that differ decide. */
                key: (string | number)[]
              }[]
              /**
               * @description The slots of patients that this cell serves. The parts of all cells are the whole list if every slot from 0 to 4095 is in exactly one of them.
               * @example 0-2047,3072
               */
              slots: string
            }
            /** @enum {string} */
            code: 'Ok'
            /** @description How many patients have each status, of how many something is new, and how many are left out because more than 2000 share. Filters do not change it. */
            counts: {
              all: number
              attention: number
              beyond: number
              inTarget: number
              new: number
              noData: number
              noTarget: number
              preparing: number
              review: number
              reviewed: number
              silent: number
              worse: number
            }
            data: components['schemas']['ListedPatient'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
            /** @description The zone of the days. */
            timeZone: string
          }
        }
      }
      /** @description The list is the one that If-None-Match names. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  bloodPressureReport: {
    parameters: {
      query: {
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1761951600
         */
        from: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /**
         * @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC.
         * @example Europe/Berlin
         */
        timeZone?: string
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1762556399
         */
        to: number
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. Without readings its counts are 0 and its values null. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Report obtained successfully.",
           *       "data": {
           *         "readings": 3,
           *         "targets": {
           *           "systolic": null,
           *           "diastolic": null
           *         },
           *         "morning": {
           *           "from": "04:00",
           *           "before": "12:00"
           *         },
           *         "evening": {
           *           "from": "17:00",
           *           "before": "04:00"
           *         },
           *         "periods": [
           *           {
           *             "days": 7,
           *             "from": "2025-11-01",
           *             "to": "2025-11-07",
           *             "morning": {
           *               "count": 2,
           *               "systolic": 127,
           *               "diastolic": 81,
           *               "pulse": 68
           *             },
           *             "evening": {
           *               "count": 1,
           *               "systolic": 134,
           *               "diastolic": 86,
           *               "pulse": null
           *             },
           *             "all": {
           *               "count": 3,
           *               "systolic": 129.33333333333334,
           *               "diastolic": 82.66666666666667,
           *               "pulse": 68
           *             },
           *             "withoutFirstDay": {
           *               "count": 1,
           *               "systolic": 126,
           *               "diastolic": 80,
           *               "pulse": 66
           *             },
           *             "inTarget": null
           *           },
           *           {
           *             "days": 30,
           *             "from": "2025-11-01",
           *             "to": "2025-11-07",
           *             "morning": {
           *               "count": 2,
           *               "systolic": 127,
           *               "diastolic": 81,
           *               "pulse": 68
           *             },
           *             "evening": {
           *               "count": 1,
           *               "systolic": 134,
           *               "diastolic": 86,
           *               "pulse": null
           *             },
           *             "all": {
           *               "count": 3,
           *               "systolic": 129.33333333333334,
           *               "diastolic": 82.66666666666667,
           *               "pulse": 68
           *             },
           *             "withoutFirstDay": {
           *               "count": 1,
           *               "systolic": 126,
           *               "diastolic": 80,
           *               "pulse": 66
           *             },
           *             "inTarget": null
           *           },
           *           {
           *             "days": null,
           *             "from": "2025-11-01",
           *             "to": "2025-11-07",
           *             "morning": {
           *               "count": 2,
           *               "systolic": 127,
           *               "diastolic": 81,
           *               "pulse": 68
           *             },
           *             "evening": {
           *               "count": 1,
           *               "systolic": 134,
           *               "diastolic": 86,
           *               "pulse": null
           *             },
           *             "all": {
           *               "count": 3,
           *               "systolic": 129.33333333333334,
           *               "diastolic": 82.66666666666667,
           *               "pulse": 68
           *             },
           *             "withoutFirstDay": {
           *               "count": 1,
           *               "systolic": 126,
           *               "diastolic": 80,
           *               "pulse": 66
           *             },
           *             "inTarget": null
           *           }
           *         ],
           *         "lowest": {
           *           "systolic": 126,
           *           "diastolic": 80,
           *           "measuredAt": "2025-11-04T07:00:00.000Z"
           *         },
           *         "highest": {
           *           "systolic": 134,
           *           "diastolic": 86,
           *           "measuredAt": "2025-11-03T19:00:00.000Z"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['BloodPressureReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  daysWithDataReport: {
    parameters: {
      query: {
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1761951600
         */
        from: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /**
         * @description Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any other type is accepted too.
         * @example bloodPressure
         */
        readingType?: string
        /**
         * @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC.
         * @example Europe/Berlin
         */
        timeZone?: string
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1762556399
         */
        to: number
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Report obtained successfully.",
           *       "data": {
           *         "days": 7,
           *         "daysWithData": 3,
           *         "daysWithDeviceData": 1,
           *         "dates": [
           *           {
           *             "date": "2025-11-01",
           *             "readings": 4,
           *             "fromDevices": 4
           *           },
           *           {
           *             "date": "2025-11-02",
           *             "readings": 0,
           *             "fromDevices": 0
           *           },
           *           {
           *             "date": "2025-11-03",
           *             "readings": 2,
           *             "fromDevices": 0
           *           },
           *           {
           *             "date": "2025-11-04",
           *             "readings": 1,
           *             "fromDevices": 0
           *           },
           *           {
           *             "date": "2025-11-05",
           *             "readings": 0,
           *             "fromDevices": 0
           *           },
           *           {
           *             "date": "2025-11-06",
           *             "readings": 0,
           *             "fromDevices": 0
           *           },
           *           {
           *             "date": "2025-11-07",
           *             "readings": 0,
           *             "fromDevices": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['DaysWithDataReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  glucoseReport: {
    parameters: {
      query: {
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1761951600
         */
        from: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /**
         * @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC.
         * @example Europe/Berlin
         */
        timeZone?: string
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1762556399
         */
        to: number
        /**
         * @description Unit of all values; default: mmol/L.
         * @example mg/dL
         */
        unit?: 'mmol/L' | 'mg/dL'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. Without readings its counts are 0 and its values null. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Report obtained successfully.",
           *       "data": {
           *         "unit": "mg/dL",
           *         "readings": 4,
           *         "days": 7,
           *         "active": {
           *           "seconds": 2400,
           *           "share": 0.0039682605295312985
           *         },
           *         "isEnough": false,
           *         "mean": 113.87262,
           *         "gmi": null,
           *         "standardDeviation": 49.042043418454746,
           *         "coefficientOfVariation": 0.43067458550136767,
           *         "bands": [
           *           {
           *             "name": "veryLow",
           *             "from": null,
           *             "to": 54,
           *             "readings": 0,
           *             "share": 0,
           *             "seconds": 0
           *           },
           *           {
           *             "name": "low",
           *             "from": 54,
           *             "to": 70,
           *             "readings": 1,
           *             "share": 0.25,
           *             "seconds": 300
           *           },
           *           {
           *             "name": "target",
           *             "from": 70,
           *             "to": 180,
           *             "readings": 2,
           *             "share": 0.5,
           *             "seconds": 1200
           *           },
           *           {
           *             "name": "high",
           *             "from": 180,
           *             "to": 250,
           *             "readings": 1,
           *             "share": 0.25,
           *             "seconds": 900
           *           },
           *           {
           *             "name": "veryHigh",
           *             "from": 250,
           *             "to": null,
           *             "readings": 0,
           *             "share": 0,
           *             "seconds": 0
           *           }
           *         ],
           *         "bandsFrom": "consensus",
           *         "target": null,
           *         "profile": [
           *           {
           *             "minute": 0,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 30,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 60,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 90,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 120,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 150,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 180,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 210,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 240,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 270,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 300,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 330,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 360,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 390,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 420,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 450,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 480,
           *             "count": 3,
           *             "p5": 68.9,
           *             "p25": 84.5,
           *             "p50": 104,
           *             "p75": 143,
           *             "p95": 174.2
           *           },
           *           {
           *             "minute": 510,
           *             "count": 1,
           *             "p5": 104.49048,
           *             "p25": 104.49048,
           *             "p50": 104.49048,
           *             "p75": 104.49048,
           *             "p95": 104.49048
           *           },
           *           {
           *             "minute": 540,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 570,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 600,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 630,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 660,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 690,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 720,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 750,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 780,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 810,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 840,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 870,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 900,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 930,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 960,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 990,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1020,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1050,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1080,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1110,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1140,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1170,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1200,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1230,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1260,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1290,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1320,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1350,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1380,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           },
           *           {
           *             "minute": 1410,
           *             "count": 0,
           *             "p5": null,
           *             "p25": null,
           *             "p50": null,
           *             "p75": null,
           *             "p95": null
           *           }
           *         ],
           *         "lowest": {
           *           "value": 65,
           *           "measuredAt": "2025-11-01T07:00:00.000Z"
           *         },
           *         "highest": {
           *           "value": 182,
           *           "measuredAt": "2025-11-01T07:10:00.000Z"
           *         },
           *         "source": {
           *           "title": "International Consensus on Time in Range",
           *           "year": 2019,
           *           "url": "https://doi.org/10.2337/dci19-0028"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['GlucoseReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  timeInTargetReport: {
    parameters: {
      query: {
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1761951600
         */
        from: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /**
         * @description Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any other type is accepted too.
         * @example interstitialGlucose
         */
        readingType: string
        /**
         * @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC.
         * @example Europe/Berlin
         */
        timeZone?: string
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1762556399
         */
        to: number
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. Without a target its counts of those in target are null. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Report obtained successfully.",
           *       "data": {
           *         "readingType": "interstitialGlucose",
           *         "readings": 4,
           *         "judged": 4,
           *         "inTarget": 2,
           *         "seconds": {
           *           "judged": 2400,
           *           "inTarget": 1200
           *         },
           *         "fields": {
           *           "value": {
           *             "target": {
           *               "patientUid": "patient-1",
           *               "readingType": "interstitialGlucose",
           *               "field": "value",
           *               "low": 70,
           *               "high": 180,
           *               "below": null,
           *               "unit": "mg/dL",
           *               "label": "Agreed in October",
           *               "preset": null,
           *               "setBy": "dr-willow",
           *               "allowedAs": "grant",
           *               "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *               "setAt": "2026-11-17T08:15:30.125460Z"
           *             },
           *             "readings": {
           *               "below": 1,
           *               "in": 2,
           *               "above": 1
           *             },
           *             "seconds": {
           *               "below": 300,
           *               "in": 1200,
           *               "above": 900
           *             }
           *           }
           *         },
           *         "days": [
           *           {
           *             "date": "2025-11-01",
           *             "readings": 4,
           *             "judged": 4,
           *             "inTarget": 2
           *           },
           *           {
           *             "date": "2025-11-02",
           *             "readings": 0,
           *             "judged": 0,
           *             "inTarget": 0
           *           },
           *           {
           *             "date": "2025-11-03",
           *             "readings": 0,
           *             "judged": 0,
           *             "inTarget": 0
           *           },
           *           {
           *             "date": "2025-11-04",
           *             "readings": 0,
           *             "judged": 0,
           *             "inTarget": 0
           *           },
           *           {
           *             "date": "2025-11-05",
           *             "readings": 0,
           *             "judged": 0,
           *             "inTarget": 0
           *           },
           *           {
           *             "date": "2025-11-06",
           *             "readings": 0,
           *             "judged": 0,
           *             "inTarget": 0
           *           },
           *           {
           *             "date": "2025-11-07",
           *             "readings": 0,
           *             "judged": 0,
           *             "inTarget": 0
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['TimeInTargetReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  addReview: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "note": "Looks steady. We keep the dose.",
         *       "reviewId": "5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37"
         *     }
         */
        'application/json': {
          /**
           * @description What the doctor says about it. The patient reads it.
           * @example Looks steady. We keep the dose.
           */
          note?: string
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /**
           * @description A UUID that the client draws. Sent again, it answers the review that is stored. Without it, each request adds a review.
           * @example 5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37
           */
          reviewId?: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The review is added.",
           *       "data": {
           *         "reviewId": "5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37",
           *         "patientUid": "patient-1",
           *         "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *         "reviewedBy": "dr-willow",
           *         "note": "Looks steady. We keep the dose.",
           *         "at": "2026-11-17T08:15:30.125460Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Review']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is an endpoint with this url already, another review with this reviewId, or another rule that says the same; or there are too many rules. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listReviews: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of reviews per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Reviews, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Reviews obtained successfully.",
           *       "data": [
           *         {
           *           "reviewId": "5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37",
           *           "patientUid": "patient-1",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "reviewedBy": "dr-willow",
           *           "note": "Looks steady. We keep the dose.",
           *           "at": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Review'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listRules: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of rules per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /**
         * @description A name that the same rule has for several patients. A patient has one rule of each name: another one replaces it.
         * @example Fast heart rate
         */
        template?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Rules that are set. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Rules obtained successfully.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *           "readingType": "heartRate",
           *           "field": "value",
           *           "unit": "/min",
           *           "severity": "urgent",
           *           "threshold": null,
           *           "sustained": {
           *             "above": 130,
           *             "count": 3,
           *             "of": 4
           *           },
           *           "change": null,
           *           "missing": null,
           *           "clear": {
           *             "below": 120,
           *             "count": 2
           *           },
           *           "repeat": null,
           *           "escalateAfter": "PT30M",
           *           "maxAge": "PT2H",
           *           "label": "Agreed in October",
           *           "template": "Fast heart rate",
           *           "setBy": "dr-willow",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "setAt": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @description Only where patients are divided between cells: for which of them the answer speaks. */
            cell?: {
              /**
               * @description Parts are merged in this order of key.
               * @enum {string}
               */
              order: 'asc' | 'desc'
              /** @description Where each patient of data stands, in the same order. */
              places: {
                /** @description In any cell: where the list goes on after this patient. */
                cursor: string
                /** @description Numbers are compared by size, texts by code points; the first that differ decide. */
                key: (string | number)[]
              }[]
              /**
               * @description The slots of patients that this cell serves. The parts of all cells are the whole list if every slot from 0 to 4095 is in exactly one of them.
               * @example 0-2047,3072
               */
              slots: string
            }
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Rule'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  previewRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "readingType": "heartRate",
         *       "severity": "urgent",
         *       "sustained": {
         *         "above": 130,
         *         "count": 3,
         *         "of": 4
         *       },
         *       "clear": {
         *         "below": 120,
         *         "count": 2
         *       },
         *       "days": 90
         *     }
         */
        'application/json': {
          change?: {
            /**
             * @description So much above the lowest value of the time before; if it is negative, below the highest.
             * @example 2
             */
            by: number
            /**
             * @description The time before the reading. From PT10M to P30D.
             * @example P30D
             */
            within: string
          }
          /** @description When an alert resolves. Default: with readings that are not beyond the bound, one; with sustained count of them, or two. */
          clear?: {
            /**
             * @description Values greater than this one.
             * @example 130
             */
            above?: number
            /**
             * @description Values no less than this one.
             * @example 130
             */
            atLeast?: number
            /**
             * @description Values no greater than this one.
             * @example 130
             */
            atMost?: number
            /**
             * @description Values less than this one.
             * @example 130
             */
            below?: number
            /**
             * @description So many readings in a row.
             * @example 3
             */
            count?: number
          }
          /**
           * @description Over the readings of how many days.
           * @default 90
           * @example 90
           */
          days?: number
          /**
           * @description An alert that no doctor acknowledged is escalated, once. From PT5M to P7D.
           * @example P7D
           */
          escalateAfter?: string
          /**
           * @description Field of the reading. May be left out if the type has one number.
           * @example systolic
           */
          field?: string
          /**
           * @description A text beside it, such as why it was chosen.
           * @example Agreed in October
           */
          label?: string
          /**
           * @description Alerts by readings that arrive later are recorded, and not announced. Default: P1D. From PT5M to P30D.
           * @example P30D
           */
          maxAge?: string
          /** @description Beside it stand no field, unit, clear and maxAge. */
          missing?: {
            /**
             * @description For so long no reading of the type was measured. From PT1H to P30D.
             * @example P30D
             */
            for: string
          }
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /** @description A type of the catalogue. */
          readingType: string
          /**
           * @description An alert that no doctor acknowledged is announced again. From PT5M to P7D.
           * @example P7D
           */
          repeat?: string
          /**
           * @description The rule that this one replaces. Without it, and without a template, another one is set.
           * @example 0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94
           */
          ruleId?: string
          /**
           * @description How much it matters.
           * @example urgent
           * @enum {string}
           */
          severity: 'notice' | 'warning' | 'urgent'
          /** @description Holds if readings stay beyond the bound: count and of, or for. */
          sustained?: {
            /**
             * @description Values greater than this one.
             * @example 130
             */
            above?: number
            /**
             * @description Values less than this one.
             * @example 130
             */
            below?: number
            /**
             * @description So many of the last readings are beyond, the newest one too.
             * @example 3
             */
            count?: number
            /**
             * @description All readings of this time are beyond. From PT10M to P1D.
             * @example P1D
             */
            for?: string
            /**
             * @description Of how many. Not less than count.
             * @example 3
             */
            of?: number
          }
          /**
           * @description A name that the same rule has for several patients. A patient has one rule of each name: another one replaces it.
           * @example Fast heart rate
           */
          template?: string
          /** @description Holds at every reading beyond the bound: above or below. */
          threshold?: {
            /**
             * @description Values greater than this one.
             * @example 130
             */
            above?: number
            /**
             * @description Values less than this one.
             * @example 130
             */
            below?: number
          }
          /**
           * @description Unit of the bounds, in UCUM. May be left out if there is one.
           * @example /min
           */
          unit?: string
        }
      }
    }
    responses: {
      /** @description What it would have done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The rule was tried on the readings of the patient.",
           *       "data": {
           *         "from": "2026-08-19T08:15:30.125Z",
           *         "to": "2026-11-17T08:15:30.125Z",
           *         "readings": 2160,
           *         "isCut": false,
           *         "alerts": [
           *           {
           *             "openedAt": "2026-11-17T08:14:58.000Z",
           *             "until": null,
           *             "why": "Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.",
           *             "readings": [
           *               {
           *                 "readingId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *                 "measuredAt": "2026-11-17T08:14:58.000Z",
           *                 "value": 142,
           *                 "unit": "/min"
           *               }
           *             ]
           *           }
           *         ],
           *         "count": 1,
           *         "openFor": 32125,
           *         "longest": 32125,
           *         "perWeek": 0.1
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['RulePreview']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94"
         *     }
         */
        'application/json': {
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /**
           * @description The id of a rule, as rules/list gave it.
           * @example 0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94
           */
          ruleId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The rule is removed."
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  setRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          change?: {
            /**
             * @description So much above the lowest value of the time before; if it is negative, below the highest.
             * @example 2
             */
            by: number
            /**
             * @description The time before the reading. From PT10M to P30D.
             * @example P30D
             */
            within: string
          }
          /** @description When an alert resolves. Default: with readings that are not beyond the bound, one; with sustained count of them, or two. */
          clear?: {
            /**
             * @description Values greater than this one.
             * @example 130
             */
            above?: number
            /**
             * @description Values no less than this one.
             * @example 130
             */
            atLeast?: number
            /**
             * @description Values no greater than this one.
             * @example 130
             */
            atMost?: number
            /**
             * @description Values less than this one.
             * @example 130
             */
            below?: number
            /**
             * @description So many readings in a row.
             * @example 3
             */
            count?: number
          }
          /**
           * @description An alert that no doctor acknowledged is escalated, once. From PT5M to P7D.
           * @example P7D
           */
          escalateAfter?: string
          /**
           * @description Field of the reading. May be left out if the type has one number.
           * @example systolic
           */
          field?: string
          /**
           * @description A text beside it, such as why it was chosen.
           * @example Agreed in October
           */
          label?: string
          /**
           * @description Alerts by readings that arrive later are recorded, and not announced. Default: P1D. From PT5M to P30D.
           * @example P30D
           */
          maxAge?: string
          /** @description Beside it stand no field, unit, clear and maxAge. */
          missing?: {
            /**
             * @description For so long no reading of the type was measured. From PT1H to P30D.
             * @example P30D
             */
            for: string
          }
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /** @description A type of the catalogue. */
          readingType: string
          /**
           * @description An alert that no doctor acknowledged is announced again. From PT5M to P7D.
           * @example P7D
           */
          repeat?: string
          /**
           * @description The rule that this one replaces. Without it, and without a template, another one is set.
           * @example 0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94
           */
          ruleId?: string
          /**
           * @description How much it matters.
           * @example urgent
           * @enum {string}
           */
          severity: 'notice' | 'warning' | 'urgent'
          /** @description Holds if readings stay beyond the bound: count and of, or for. */
          sustained?: {
            /**
             * @description Values greater than this one.
             * @example 130
             */
            above?: number
            /**
             * @description Values less than this one.
             * @example 130
             */
            below?: number
            /**
             * @description So many of the last readings are beyond, the newest one too.
             * @example 3
             */
            count?: number
            /**
             * @description All readings of this time are beyond. From PT10M to P1D.
             * @example P1D
             */
            for?: string
            /**
             * @description Of how many. Not less than count.
             * @example 3
             */
            of?: number
          }
          /**
           * @description A name that the same rule has for several patients. A patient has one rule of each name: another one replaces it.
           * @example Fast heart rate
           */
          template?: string
          /** @description Holds at every reading beyond the bound: above or below. */
          threshold?: {
            /**
             * @description Values greater than this one.
             * @example 130
             */
            above?: number
            /**
             * @description Values less than this one.
             * @example 130
             */
            below?: number
          }
          /**
           * @description Unit of the bounds, in UCUM. May be left out if there is one.
           * @example /min
           */
          unit?: string
        }
      }
    }
    responses: {
      /** @description Committed. The rule as it is now. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The rule is set.",
           *       "data": {
           *         "patientUid": "patient-1",
           *         "ruleId": "0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94",
           *         "readingType": "heartRate",
           *         "field": "value",
           *         "unit": "/min",
           *         "severity": "urgent",
           *         "threshold": null,
           *         "sustained": {
           *           "above": 130,
           *           "count": 3,
           *           "of": 4
           *         },
           *         "change": null,
           *         "missing": null,
           *         "clear": {
           *           "below": 120,
           *           "count": 2
           *         },
           *         "repeat": null,
           *         "escalateAfter": "PT30M",
           *         "maxAge": "PT2H",
           *         "label": "Agreed in October",
           *         "template": "Fast heart rate",
           *         "setBy": "dr-willow",
           *         "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *         "setAt": "2026-11-17T08:15:30.125460Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Rule']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is an endpoint with this url already, another review with this reviewId, or another rule that says the same; or there are too many rules. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  targetHistory: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of changes per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Changes, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "History of targets obtained successfully.",
           *       "data": [
           *         {
           *           "action": "set",
           *           "readingType": "interstitialGlucose",
           *           "field": "value",
           *           "low": 70,
           *           "high": 180,
           *           "below": null,
           *           "unit": "mg/dL",
           *           "label": "Agreed in October",
           *           "preset": null,
           *           "allowedAs": "grant",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "by": "dr-willow",
           *           "at": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['TargetChange'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listTargets: {
    parameters: {
      query?: {
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Targets, ordered by type and field. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Targets obtained successfully.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "readingType": "interstitialGlucose",
           *           "field": "value",
           *           "low": 70,
           *           "high": 180,
           *           "below": null,
           *           "unit": "mg/dL",
           *           "label": "Agreed in October",
           *           "preset": null,
           *           "setBy": "dr-willow",
           *           "allowedAs": "grant",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "setAt": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Target'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listTargetPresets: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All presets. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Presets obtained successfully.",
           *       "data": [
           *         {
           *           "preset": "sensor-glucose",
           *           "title": "Sensor glucose with type 1 or type 2 diabetes, outside pregnancy",
           *           "readingType": "interstitialGlucose",
           *           "source": {
           *             "title": "Clinical Targets for Continuous Glucose Monitoring Data Interpretation: Recommendations From the International Consensus on Time in Range",
           *             "year": 2019,
           *             "url": "https://doi.org/10.2337/dci19-0028"
           *           },
           *           "units": {
           *             "mg/dL": [
           *               {
           *                 "field": "value",
           *                 "low": 70,
           *                 "high": 180,
           *                 "below": null
           *               }
           *             ],
           *             "mmol/L": [
           *               {
           *                 "field": "value",
           *                 "low": 3.9,
           *                 "high": 10,
           *                 "below": null
           *               }
           *             ]
           *           }
           *         },
           *         {
           *           "preset": "home-blood-pressure-esh",
           *           "title": "Blood pressure at home, below 135/85",
           *           "readingType": "bloodPressure",
           *           "source": {
           *             "title": "2023 ESH Guidelines for the management of arterial hypertension",
           *             "year": 2023,
           *             "url": "https://doi.org/10.1097/HJH.0000000000003480"
           *           },
           *           "units": {
           *             "mm[Hg]": [
           *               {
           *                 "field": "systolic",
           *                 "low": null,
           *                 "high": null,
           *                 "below": 135
           *               },
           *               {
           *                 "field": "diastolic",
           *                 "low": null,
           *                 "high": null,
           *                 "below": 85
           *               }
           *             ]
           *           }
           *         },
           *         {
           *           "preset": "home-blood-pressure-acc-aha",
           *           "title": "Blood pressure at home, below 130/80",
           *           "readingType": "bloodPressure",
           *           "source": {
           *             "title": "2017 ACC/AHA Guideline for the Prevention, Detection, Evaluation, and Management of High Blood Pressure in Adults",
           *             "year": 2017,
           *             "url": "https://doi.org/10.1161/HYP.0000000000000065"
           *           },
           *           "units": {
           *             "mm[Hg]": [
           *               {
           *                 "field": "systolic",
           *                 "low": null,
           *                 "high": null,
           *                 "below": 130
           *               },
           *               {
           *                 "field": "diastolic",
           *                 "low": null,
           *                 "high": null,
           *                 "below": 80
           *               }
           *             ]
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['TargetPreset'][]
            message: string
          }
        }
      }
      /** @description The presets are those that If-None-Match names. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeTarget: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "readingType": "interstitialGlucose",
         *       "field": "value"
         *     }
         */
        'application/json': {
          /**
           * @description Field of the reading. All fields of the type if it is left out.
           * @example systolic
           */
          field?: string
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /** @description A type of the catalogue. */
          readingType: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The target is removed."
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  setTarget: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Values in target are below this one. Not beside high.
           * @example 135
           */
          below?: number
          /**
           * @description Field of the reading. May be left out if the type has one number.
           * @example systolic
           */
          field?: string
          /**
           * @description The highest value in target.
           * @example 180
           */
          high?: number
          /**
           * @description A text beside it, such as why it was chosen.
           * @example Agreed in October
           */
          label?: string
          /**
           * @description The lowest value in target.
           * @example 70
           */
          low?: number
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /**
           * @description Sets all targets of a published one: sensor-glucose, home-blood-pressure-esh, home-blood-pressure-acc-aha. Beside it, only unit may stand.
           * @example sensor-glucose
           */
          preset?: string
          /** @description A type of the catalogue. Required without a preset. */
          readingType?: string
          /**
           * @description Unit of the bounds, in UCUM. May be left out if there is one.
           * @example mg/dL
           */
          unit?: string
        }
      }
    }
    responses: {
      /** @description Committed. The targets that were named, as they are now. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The target is set.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "readingType": "interstitialGlucose",
           *           "field": "value",
           *           "low": 70,
           *           "high": 180,
           *           "below": null,
           *           "unit": "mg/dL",
           *           "label": "Agreed in October",
           *           "preset": null,
           *           "setBy": "dr-willow",
           *           "allowedAs": "grant",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "setAt": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Target'][]
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  addGrant: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
         *       "permission": "view",
         *       "readingTypes": [
         *         "bloodPressure",
         *         "heartRate"
         *       ],
         *       "validUntil": "2099-12-31T22:59:59.000Z",
         *       "sharedAs": "Mia Example, born 2017"
         *     }
         */
        'application/json': {
          /**
           * @description Unique id of the doctor, as doctors/list gave it.
           * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
           */
          doctorId: string
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /**
           * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
           * @example view
           * @enum {string}
           */
          permission: 'view' | 'manage'
          /**
           * @description Only readings of these types. All types if it is left out.
           * @example [
           *       "bloodPressure",
           *       "heartRate"
           *     ]
           */
          readingTypes?: string[]
          /**
           * @description How the patient wants to appear to this doctor. The id is shown if it is left out.
           * @example Mia Example, born 2017
           */
          sharedAs?: string
          /**
           * @description When the grant ends, to the millisecond. It stays until it is revoked if this is left out.
           * @example 2099-12-31T23:59:59+01:00
           */
          validUntil?: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The readings are shared with the doctor.",
           *       "data": {
           *         "patientUid": "patient-1",
           *         "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *         "permission": "view",
           *         "readingTypes": [
           *           "bloodPressure",
           *           "heartRate"
           *         ],
           *         "validUntil": "2099-12-31T22:59:59.000Z",
           *         "sharedAs": "Mia Example, born 2017",
           *         "state": "given",
           *         "changedBy": "mia-example",
           *         "changedAt": "2026-11-17T08:15:30.125460Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Grant']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request is well-formed, but the directory has no such doctor, the patient shares with 100 doctors already, or there are 1,000 endpoints already. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  grantHistory: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of changes per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Changes, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "History of grants obtained successfully.",
           *       "data": [
           *         {
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "action": "give",
           *           "permission": "view",
           *           "readingTypes": [
           *             "bloodPressure",
           *             "heartRate"
           *           ],
           *           "validUntil": "2099-12-31T22:59:59.000Z",
           *           "sharedAs": "Mia Example, born 2017",
           *           "by": "mia-example",
           *           "at": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['GrantChange'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listGrants: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of grants per page.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Grants, ordered by doctorId. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Grants obtained successfully.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "permission": "view",
           *           "readingTypes": [
           *             "bloodPressure",
           *             "heartRate"
           *           ],
           *           "validUntil": "2099-12-31T22:59:59.000Z",
           *           "sharedAs": "Mia Example, born 2017",
           *           "state": "given",
           *           "changedBy": "mia-example",
           *           "changedAt": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Grant'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  revokeGrant: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10"
         *     }
         */
        'application/json': {
          /**
           * @description Unique id of the doctor, as doctors/list gave it.
           * @example 7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10
           */
          doctorId: string
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The readings are not shared with the doctor any more."
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listPatients: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of patients per page.
         * @example 20
         */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Patients, in the order of their names. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Patients obtained successfully.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "permission": "view",
           *           "readingTypes": [
           *             "bloodPressure",
           *             "heartRate"
           *           ],
           *           "validUntil": "2099-12-31T22:59:59.000Z",
           *           "sharedAs": "Mia Example, born 2017",
           *           "sharedSince": "2026-11-17T08:15:30.125460Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @description Only where patients are divided between cells: for which of them the answer speaks. */
            cell?: {
              /**
               * @description Parts are merged in this order of key.
               * @enum {string}
               */
              order: 'asc' | 'desc'
              /** @description Where each patient of data stands, in the same order. */
              places: {
                /** @description In any cell: where the list goes on after this patient. */
                cursor: string
                /** @description Numbers are compared by size, texts by code points; the first that differ decide. */
                key: (string | number)[]
              }[]
              /**
               * @description The slots of patients that this cell serves. The parts of all cells are the whole list if every slot from 0 to 4095 is in exactly one of them.
               * @example 0-2047,3072
               */
              slots: string
            }
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['SharingPatient'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  readAccessLog: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of entries per page. A page of large entries holds fewer.
         * @example 20
         */
        limit?: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Reads, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Access'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  addReadings: {
    parameters: {
      query?: never
      header?: {
        /** @description `return=representation` requests a verdict on each reading. */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Reading'] | components['schemas']['Reading'][]
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          /** @description return=representation, if it was requested. */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AddAnswer'] | components['schemas']['AddVerdicts']
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  followChanges: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of changes. A page of large readings may hold fewer.
         * @example 100
         */
        limit?: number
        /** @description Only readings of this type, and every erasure; may be repeated. The cursor moves past the others, so that a page may be empty. Changes of a type that is added later are given from that cursor on. */
        readingType?: string[]
        /** @description Instead of a cursor: begin with what changes from now on. Without both, from the first change. */
        start?: 'now'
        /** @description Seconds to hold the answer until something changes, where there is nothing yet. */
        wait?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Changes, in an order in which nothing can appear behind a cursor. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Changes obtained successfully.",
           *       "data": [
           *         {
           *           "state": "present",
           *           "reading": {
           *             "patientUid": "patient-1",
           *             "readingType": "symptom",
           *             "timestamp": 1762000000000,
           *             "readingId": "a8cc4b5f-bc32-829e-b074-9ccbae1ab403",
           *             "measuredAt": "2025-11-01T12:26:40.000Z",
           *             "receivedAt": "2025-11-01T12:27:41.250Z",
           *             "symptoms": [
           *               {
           *                 "symptom": "headache",
           *                 "severity": "MODERATE"
           *               }
           *             ]
           *           }
           *         }
           *       ],
           *       "nextCursor": "MSAyYzRiNjNhMS01OGYyLTRhN2UtOWE1My0wZDNjNWJlNmMxYWEsMSwwLzFBMkIzQzRELDc0MjEsYThjYzRiNWYtYmMzMi04MjllLWIwNzQtOWNjYmFlMWFiNDAz",
           *       "hasMore": false,
           *       "heldBackSeconds": 0
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Change'][]
            /** @description Whether more changes are there already. A page may be empty although there are: changes of other types than those asked for, and of patients whom another cell serves, are left out. */
            hasMore: boolean
            /** @description How long a transaction that stays open in the database cluster has held back the changes committed since it began, as far as the answering process has seen; 0 when nothing is held back. It tells a late sequence from a quiet one. */
            heldBackSeconds: number
            message: string
            /** @description Where to go on. Keep it with what you made of the changes. */
            nextCursor: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The cursor belongs to a history that is gone; begin again without one. */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getReadings: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1761955200
         */
        from?: number
        /**
         * @description Maximum number of readings per page. A page takes at most about 1 MiB, so it holds fewer large readings. Without limit, the whole range is streamed.
         * @example 20
         */
        limit?: number
        /** @description Oldest first (asc, the default) or newest first. */
        order?: 'asc' | 'desc'
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /** @description Only readings of this type; may be repeated. */
        readingType?: string[]
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1762041600
         */
        to?: number
        /** @description Show withdrawn readings too, each with `withdrawn`: when, by whom, why that was allowed (`allowedAs`) and why (`reason`), and in `corrections` its last ten withdrawals and restorations. They are left out by default. */
        withdrawn?: 'include'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The readings in order of time. */
      200: {
        headers: {
          /** @description A file name; for CSV and newline-delimited JSON only. */
          'content-disposition'?: string
          /** @description rel="next": the next page of CSV or newline-delimited JSON, if any. */
          link?: string
          /** @description The same types as limitedTo, with commas; only for a doctor to whom not all are shared. */
          'x-limited-to'?: string
          /** @description The cursor of that page. */
          'x-next-cursor'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['StoredReading'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
          /**
           * @example {"patientUid":"patient-1","readingType":"symptom","timestamp":1762000000000,"readingId":"a8cc4b5f-bc32-829e-b074-9ccbae1ab403","measuredAt":"2025-11-01T12:26:40.000Z","receivedAt":"2025-11-01T12:27:41.250Z","symptoms":[{"symptom":"headache","severity":"MODERATE"}]}
           *     {"patientUid":"patient-1","readingType":"heartRate","timestamp":1762000060000,"readingId":"4896fff1-6f14-8a63-a652-5f93b7bb984e","measuredAt":"2025-11-01T12:27:40.000Z","receivedAt":"2025-11-01T12:27:41.250Z","value":72}
           */
          'application/x-ndjson': string
          /**
           * @example patientUid,readingType,timestamp,measuredAt,receivedAt,readingId,value,unit,systolic,diastolic,pulse,deep,light,rem,awake,symptoms,sourceKind,sourceDevice,other
           *     patient-1,symptom,1762000000000,2025-11-01T12:26:40.000Z,2025-11-01T12:27:41.250Z,a8cc4b5f-bc32-829e-b074-9ccbae1ab403,,,,,,,,,,"headache (MODERATE)",,,"{""symptoms"":[{""symptom"":""headache"",""severity"":""MODERATE""}]}"
           *     patient-1,heartRate,1762000060000,2025-11-01T12:27:40.000Z,2025-11-01T12:27:41.250Z,4896fff1-6f14-8a63-a652-5f93b7bb984e,72,/min,,,,,,,,,,,
           */
          'text/csv': string
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  latestReadings: {
    parameters: {
      query?: {
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /** @description Only the newest reading of this type; may be repeated. */
        readingType?: string[]
        /**
         * @description Epoch end time, included: the newest up to then. By default five minutes from now, so that a device whose clock is far ahead hides nothing. Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1762041600
         */
        to?: number
        /** @description Show withdrawn readings too, each with `withdrawn`: when, by whom, why that was allowed (`allowedAs`) and why (`reason`), and in `corrections` its last ten withdrawals and restorations. They are left out by default. */
        withdrawn?: 'include'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The newest reading of each type up to `to`, in order of their types; none of a type that was not sent until then. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Latest readings obtained successfully.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "readingType": "heartRate",
           *           "timestamp": 1762000060000,
           *           "readingId": "4896fff1-6f14-8a63-a652-5f93b7bb984e",
           *           "measuredAt": "2025-11-01T12:27:40.000Z",
           *           "receivedAt": "2025-11-01T12:27:41.250Z",
           *           "value": 72
           *         },
           *         {
           *           "patientUid": "patient-1",
           *           "readingType": "symptom",
           *           "timestamp": 1762000000000,
           *           "readingId": "a8cc4b5f-bc32-829e-b074-9ccbae1ab403",
           *           "measuredAt": "2025-11-01T12:26:40.000Z",
           *           "receivedAt": "2025-11-01T12:27:41.250Z",
           *           "symptoms": [
           *             {
           *               "symptom": "headache",
           *               "severity": "MODERATE"
           *             }
           *           ]
           *         }
           *       ],
           *       "typesBeyond": 0
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['StoredReading'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Number of the types asked for that have readings later than `to`. Those are not in `data`. */
            typesBeyond: number
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  restoreReading: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "readingId": "a8cc4b5f-bc32-829e-b074-9ccbae1ab403",
         *       "timestamp": 1762000000000
         *     }
         */
        'application/json': {
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /**
           * @description As readings/get gave it.
           * @example a8cc4b5f-bc32-829e-b074-9ccbae1ab403
           */
          readingId: string
          /**
           * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
           * @example 1762000000000
           */
          timestamp: number
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The reading was restored successfully."
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  readingStatistics: {
    parameters: {
      query: {
        /**
         * @description Length of a bucket; default: day. Weeks begin on Monday.
         * @example day
         */
        bucket?: 'hour' | 'day' | 'week' | 'month'
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1761955200
         */
        from: number
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
        /**
         * @description Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any other type is accepted too.
         * @example heartRate
         */
        readingType: string
        /**
         * @description IANA time zone of the calendar, such as Europe/Berlin; default: UTC.
         * @example Europe/Berlin
         */
        timeZone?: string
        /**
         * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
         * @example 1762041600
         */
        to: number
        /** @description UCUM unit that values are converted to; default: the first unit of the type. */
        unit?: string
        /** @description Count withdrawn readings too. They are left out by default. */
        withdrawn?: 'include'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All buckets from the one that contains from to the one that contains to, empty ones included. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Statistics obtained successfully.",
           *       "data": [
           *         {
           *           "start": "2025-10-24T22:00:00.000Z",
           *           "end": "2025-10-25T22:00:00.000Z",
           *           "localStart": "2025-10-25T00:00:00+02:00",
           *           "count": 3,
           *           "fields": {
           *             "value": {
           *               "count": 3,
           *               "min": 64,
           *               "max": 88,
           *               "mean": 74,
           *               "p50": 70,
           *               "p95": 86.2,
           *               "first": 70,
           *               "last": 64
           *             }
           *           }
           *         },
           *         {
           *           "start": "2025-10-25T22:00:00.000Z",
           *           "end": "2025-10-26T23:00:00.000Z",
           *           "localStart": "2025-10-26T00:00:00+02:00",
           *           "count": 0,
           *           "fields": {}
           *         }
           *       ],
           *       "units": {
           *         "value": "/min"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: {
              /** @description Number of readings of the type; 0 in an empty bucket. */
              count: number
              /**
               * Format: date-time
               * @description Start of the next bucket: not part of this one.
               */
              end: string
              /** @description Summary of each field that has a number in this bucket; empty if there is none. */
              fields: {
                [key: string]: {
                  /** @description Number of readings that have a number in this field. */
                  count: number
                  /** @description Value of the reading measured first. */
                  first: number
                  /** @description Value of the reading measured last. */
                  last: number
                  max: number
                  mean: number
                  min: number
                  /** @description The median, interpolated between two values. */
                  p50: number
                  /** @description The value at position 0.95 × (count − 1) of the sorted values, interpolated between two. */
                  p95: number
                }
              }
              /**
               * Format: date-time
               * @description The start in local time.
               */
              localStart: string
              /**
               * Format: date-time
               * @description The first instant of the bucket, in UTC.
               */
              start: string
            }[]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Unit of each field; empty for a type that is not in the catalogue. */
            units: {
              [key: string]: string
            }
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  streamReadings: {
    parameters: {
      query?: {
        /**
         * @description Unique id of the patient. It must be in the token; it is compared exactly.
         * @example patient-1
         */
        patientUid?: string
      }
      header?: {
        /** @description The id of the last event, to go on behind it. Too old a one gets the event `reset`. */
        'last-event-id'?: string
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Events. */
      200: {
        headers: {
          /** @description The same types as limitedTo, with commas; only for a doctor to whom not all are shared. */
          'x-limited-to'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example id: 2c4b63a1.1.7421.a8cc4b5f-bc32-829e-b074-9ccbae1ab403
           *     event: change
           *     data: {"state":"present","reading":{"patientUid":"patient-1","readingType":"symptom","timestamp":1762000000000,"readingId":"a8cc4b5f-bc32-829e-b074-9ccbae1ab403","measuredAt":"2025-11-01T12:26:40.000Z","receivedAt":"2025-11-01T12:27:41.250Z","symptoms":[{"symptom":"headache","severity":"MODERATE"}]}}
           */
          'text/event-stream': string
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listReadingTypes: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All types of the catalogue. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Reading types obtained successfully.",
           *       "data": [
           *         {
           *           "readingType": "painScore",
           *           "units": [
           *             "{score}"
           *           ],
           *           "loinc": [
           *             "72514-3"
           *           ],
           *           "numbers": [
           *             {
           *               "field": "value",
           *               "isRequired": true,
           *               "isWhole": true,
           *               "below": null,
           *               "ranges": [
           *                 {
           *                   "unit": "{score}",
           *                   "loinc": "72514-3",
           *                   "possible": {
           *                     "least": 0,
           *                     "most": 10
           *                   },
           *                   "plausible": null
           *                 }
           *               ]
           *             }
           *           ],
           *           "example": {
           *             "patientUid": "patient-1",
           *             "readingType": "painScore",
           *             "value": 4,
           *             "site": "lower back",
           *             "timestamp": 1762000000000
           *           },
           *           "schema": {
           *             "title": "painScore",
           *             "type": "object",
           *             "required": [
           *               "patientUid",
           *               "readingType",
           *               "timestamp",
           *               "value"
           *             ],
           *             "properties": {
           *               "patientUid": {
           *                 "type": "string",
           *                 "minLength": 1,
           *                 "maxLength": 128,
           *                 "pattern": "^[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$",
           *                 "description": "Unique id of the patient. It must be in the token; it is compared exactly.",
           *                 "examples": [
           *                   "patient-1"
           *                 ]
           *               },
           *               "readingType": {
           *                 "type": "string",
           *                 "enum": [
           *                   "painScore"
           *                 ]
           *               },
           *               "timestamp": {
           *                 "type": "number",
           *                 "minimum": 0,
           *                 "maximum": 253402300799999,
           *                 "description": "Epoch seconds when below 100000000000, epoch milliseconds from there on.",
           *                 "examples": [
           *                   1762000000000
           *                 ]
           *               },
           *               "source": {
           *                 "type": "object",
           *                 "required": [
           *                   "kind"
           *                 ],
           *                 "properties": {
           *                   "kind": {
           *                     "enum": [
           *                       "device",
           *                       "manual",
           *                       "import"
           *                     ],
           *                     "type": "string",
           *                     "description": "Whether a device sent it, a person typed it in, or it was imported from another record or system."
           *                   },
           *                   "device": {
           *                     "type": "object",
           *                     "required": [
           *                       "name"
           *                     ],
           *                     "properties": {
           *                       "name": {
           *                         "type": "string",
           *                         "minLength": 1,
           *                         "maxLength": 200,
           *                         "pattern": "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$",
           *                         "description": "What people call the device."
           *                       },
           *                       "manufacturer": {
           *                         "type": "string",
           *                         "minLength": 1,
           *                         "maxLength": 200,
           *                         "pattern": "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$",
           *                         "description": "Who made it."
           *                       },
           *                       "model": {
           *                         "type": "string",
           *                         "minLength": 1,
           *                         "maxLength": 200,
           *                         "pattern": "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$",
           *                         "description": "The number or name of its model."
           *                       },
           *                       "serial": {
           *                         "type": "string",
           *                         "minLength": 1,
           *                         "maxLength": 200,
           *                         "pattern": "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$",
           *                         "description": "Its serial number."
           *                       }
           *                     },
           *                     "additionalProperties": false
           *                   },
           *                   "app": {
           *                     "type": "object",
           *                     "required": [
           *                       "name"
           *                     ],
           *                     "properties": {
           *                       "name": {
           *                         "type": "string",
           *                         "minLength": 1,
           *                         "maxLength": 200,
           *                         "pattern": "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$",
           *                         "description": "The program that sent the reading, or into which it was typed."
           *                       },
           *                       "version": {
           *                         "type": "string",
           *                         "minLength": 1,
           *                         "maxLength": 200,
           *                         "pattern": "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$",
           *                         "description": "Its version."
           *                       }
           *                     },
           *                     "additionalProperties": false
           *                   }
           *                 },
           *                 "additionalProperties": false,
           *                 "description": "Where the reading comes from. It is part of the content, as any field.",
           *                 "examples": [
           *                   {
           *                     "kind": "device",
           *                     "device": {
           *                       "name": "Cuff 2",
           *                       "manufacturer": "Example Devices",
           *                       "model": "EX-200",
           *                       "serial": "123"
           *                     },
           *                     "app": {
           *                       "name": "Example Health",
           *                       "version": "4.1"
           *                     }
           *                   }
           *                 ]
           *               },
           *               "fhir": {
           *                 "type": "object",
           *                 "properties": {},
           *                 "additionalProperties": true,
           *                 "description": "Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.",
           *                 "examples": [
           *                   {
           *                     "identifier": [
           *                       {
           *                         "system": "urn:example:hub",
           *                         "value": "17"
           *                       }
           *                     ]
           *                   }
           *                 ]
           *               },
           *               "readingId": {
           *                 "not": {},
           *                 "readOnly": true,
           *                 "description": "Given by the service."
           *               },
           *               "measuredAt": {
           *                 "not": {},
           *                 "readOnly": true,
           *                 "description": "Given by the service."
           *               },
           *               "receivedAt": {
           *                 "not": {},
           *                 "readOnly": true,
           *                 "description": "Given by the service."
           *               },
           *               "withdrawn": {
           *                 "not": {},
           *                 "readOnly": true,
           *                 "description": "Given by the service."
           *               },
           *               "value": {
           *                 "type": "integer",
           *                 "description": "Possible: 0 to 10 {score}.",
           *                 "minimum": 0,
           *                 "maximum": 10
           *               },
           *               "unit": {
           *                 "enum": [
           *                   "{score}"
           *                 ],
           *                 "type": "string",
           *                 "description": "In UCUM. Where it is left out, {score} is meant."
           *               },
           *               "site": {
           *                 "type": [
           *                   "string",
           *                   "number",
           *                   "boolean"
           *                 ],
           *                 "description": "As the device has it."
           *               }
           *             },
           *             "additionalProperties": true,
           *             "examples": [
           *               {
           *                 "patientUid": "patient-1",
           *                 "readingType": "painScore",
           *                 "value": 4,
           *                 "site": "lower back",
           *                 "timestamp": 1762000000000
           *               }
           *             ]
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['ReadingTypeEntry'][]
            message: string
          }
        }
      }
      /** @description The catalogue is the one that If-None-Match names. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  withdrawReading: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "patientUid": "patient-1",
         *       "readingId": "a8cc4b5f-bc32-829e-b074-9ccbae1ab403",
         *       "timestamp": 1762000000000,
         *       "reason": "Typed in pounds instead of kilograms"
         *     }
         */
        'application/json': {
          /**
           * @description Unique id of the patient. It must be in the token; it is compared exactly.
           * @example patient-1
           */
          patientUid: string
          /**
           * @description As readings/get gave it.
           * @example a8cc4b5f-bc32-829e-b074-9ccbae1ab403
           */
          readingId: string
          /**
           * @description Why, for those who read the record.
           * @example Typed in pounds instead of kilograms
           */
          reason?: string
          /**
           * @description Epoch seconds when below 100000000000, epoch milliseconds from there on.
           * @example 1762000000000
           */
          timestamp: number
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The reading was withdrawn successfully."
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Another cell serves this patient: the router sent the request to the wrong one. Send it again with the header rounds-slot of this answer. Where a list spans cells, `errors` points at each reading of another one. */
      421: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listAttempts: {
    parameters: {
      query: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Id of the endpoint, as endpoints/add gave it.
         * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
         */
        endpointId: string
        /**
         * @description Maximum number of entries per page.
         * @example 20
         */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Attempts, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Attempts obtained successfully.",
           *       "data": [
           *         {
           *           "at": "2026-11-17T08:15:00.000Z",
           *           "outcome": "failed",
           *           "event": "readings.changed",
           *           "status": 503,
           *           "error": "status",
           *           "attempts": 3,
           *           "changes": 120,
           *           "bytes": 30512,
           *           "longestMs": 184,
           *           "lastMessageId": "msg_Jx2mQ8r0cE3vK5nT7yB1aZ4dF6gH9wLp"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Attempt'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  addEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://receiver.example/rounds",
         *       "description": "Copy for the data warehouse",
         *       "events": [
         *         "readings.changed",
         *         "patient.erased"
         *       ],
         *       "readingTypes": [
         *         "bloodPressure",
         *         "heartRate"
         *       ]
         *     }
         */
        'application/json': {
          /**
           * @description What it is for.
           * @example Copy for the data warehouse
           */
          description?: string
          /**
           * @description readings.changed: readings that were added, withdrawn or restored. patient.erased: patients whose data was erased. grant.changed: what patients share with doctors. alert.…: what becomes of alerts, where they are switched on. The first three if it is left out.
           * @example [
           *       "readings.changed",
           *       "patient.erased"
           *     ]
           */
          events?: (
            | 'readings.changed'
            | 'patient.erased'
            | 'grant.changed'
            | 'alert.opened'
            | 'alert.repeated'
            | 'alert.acknowledged'
            | 'alert.escalated'
            | 'alert.resolved'
            | 'alert.retracted'
          )[]
          /**
           * @description now: what changes from now on. beginning: first all that is stored.
           * @default now
           * @enum {string}
           */
          from?: 'now' | 'beginning'
          /** @description Only changes of these patients. All patients if it is left out. */
          patientUids?: string[]
          /**
           * @description Only readings and alerts of these types. All types if it is left out.
           * @example [
           *       "bloodPressure",
           *       "heartRate"
           *     ]
           */
          readingTypes?: string[]
          /**
           * @description Messages name what changed, without its content.
           * @default false
           */
          thin?: boolean
          /**
           * @description The https address to call. Addresses that are not public are refused unless the operator allows them.
           * @example https://receiver.example/rounds
           */
          url: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The endpoint is added. Keep the secret: it is shown once.",
           *       "endpoint": {
           *         "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
           *         "url": "https://receiver.example/rounds",
           *         "description": "Copy for the data warehouse",
           *         "events": [
           *           "readings.changed",
           *           "patient.erased"
           *         ],
           *         "readingTypes": [
           *           "bloodPressure",
           *           "heartRate"
           *         ],
           *         "thin": false,
           *         "state": "active",
           *         "behindSince": null,
           *         "failures": 0,
           *         "replays": 0,
           *         "addedBy": "integration-service",
           *         "addedAt": "2026-11-17T08:15:30.125Z"
           *       },
           *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
            /** @description The key of the signatures, as Standard Webhooks writes it. */
            secret: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is an endpoint with this url already, another review with this reviewId, or another rule that says the same; or there are too many rules. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request is well-formed, but the directory has no such doctor, the patient shares with 100 doctors already, or there are 1,000 endpoints already. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listEndpoints: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /**
         * @description Maximum number of endpoints per page.
         * @example 20
         */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Endpoints, in the order in which they were added. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Endpoints obtained successfully.",
           *       "data": [
           *         {
           *           "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
           *           "url": "https://receiver.example/rounds",
           *           "description": "Copy for the data warehouse",
           *           "events": [
           *             "readings.changed",
           *             "patient.erased"
           *           ],
           *           "readingTypes": [
           *             "bloodPressure",
           *             "heartRate"
           *           ],
           *           "thin": false,
           *           "state": "active",
           *           "behindSince": null,
           *           "failures": 0,
           *           "replays": 0,
           *           "addedBy": "integration-service",
           *           "addedAt": "2026-11-17T08:15:30.125Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Endpoint'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  pauseEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20"
         *     }
         */
        'application/json': {
          /**
           * @description Id of the endpoint, as endpoints/add gave it.
           * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
           */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The endpoint is paused.",
           *       "endpoint": {
           *         "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
           *         "url": "https://receiver.example/rounds",
           *         "description": "Copy for the data warehouse",
           *         "events": [
           *           "readings.changed",
           *           "patient.erased"
           *         ],
           *         "readingTypes": [
           *           "bloodPressure",
           *           "heartRate"
           *         ],
           *         "thin": false,
           *         "state": "paused",
           *         "behindSince": null,
           *         "failures": 0,
           *         "replays": 0,
           *         "addedBy": "integration-service",
           *         "addedAt": "2026-11-17T08:15:30.125Z",
           *         "pausedBecause": "asked"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20"
         *     }
         */
        'application/json': {
          /**
           * @description Id of the endpoint, as endpoints/add gave it.
           * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
           */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The endpoint is removed."
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  replayEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
         *       "since": "2026-11-17T00:00:00Z"
         *     }
         */
        'application/json': {
          /**
           * @description Id of the endpoint, as endpoints/add gave it.
           * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
           */
          endpointId: string
          /**
           * @description Changes that were committed since then are sent again, and maybe some before; beginning: all that is stored.
           * @example 2026-11-17T00:00:00Z
           */
          since: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The endpoint gets the changes again.",
           *       "endpoint": {
           *         "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
           *         "url": "https://receiver.example/rounds",
           *         "description": "Copy for the data warehouse",
           *         "events": [
           *           "readings.changed",
           *           "patient.erased"
           *         ],
           *         "readingTypes": [
           *           "bloodPressure",
           *           "heartRate"
           *         ],
           *         "thin": false,
           *         "state": "active",
           *         "behindSince": null,
           *         "failures": 0,
           *         "replays": 1,
           *         "addedBy": "integration-service",
           *         "addedAt": "2026-11-17T08:15:30.125Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  resumeEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20"
         *     }
         */
        'application/json': {
          /**
           * @description Id of the endpoint, as endpoints/add gave it.
           * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
           */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The endpoint is active.",
           *       "endpoint": {
           *         "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
           *         "url": "https://receiver.example/rounds",
           *         "description": "Copy for the data warehouse",
           *         "events": [
           *           "readings.changed",
           *           "patient.erased"
           *         ],
           *         "readingTypes": [
           *           "bloodPressure",
           *           "heartRate"
           *         ],
           *         "thin": false,
           *         "state": "active",
           *         "behindSince": null,
           *         "failures": 0,
           *         "replays": 0,
           *         "addedBy": "integration-service",
           *         "addedAt": "2026-11-17T08:15:30.125Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  rotateEndpointSecret: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
         *       "overlapHours": 24
         *     }
         */
        'application/json': {
          /**
           * @description Id of the endpoint, as endpoints/add gave it.
           * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
           */
          endpointId: string
          /**
           * @description How long messages are signed with the secret before too; 0 if it is known to others.
           * @default 24
           * @example 24
           */
          overlapHours?: number
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The endpoint has a new secret. Keep it: it is shown once.",
           *       "endpoint": {
           *         "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
           *         "url": "https://receiver.example/rounds",
           *         "description": "Copy for the data warehouse",
           *         "events": [
           *           "readings.changed",
           *           "patient.erased"
           *         ],
           *         "readingTypes": [
           *           "bloodPressure",
           *           "heartRate"
           *         ],
           *         "thin": false,
           *         "state": "active",
           *         "behindSince": null,
           *         "failures": 0,
           *         "replays": 0,
           *         "addedBy": "integration-service",
           *         "addedAt": "2026-11-17T08:15:30.125Z",
           *         "previousSecretUntil": "2026-11-18T08:15:30.125Z"
           *       },
           *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
            /** @description The key of the signatures, as Standard Webhooks writes it. */
            secret: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  skipPage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
         *       "messageId": "msg_Jx2mQ8r0cE3vK5nT7yB1aZ4dF6gH9wLp"
         *     }
         */
        'application/json': {
          /**
           * @description Id of the endpoint, as endpoints/add gave it.
           * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
           */
          endpointId: string
          /**
           * @description Id of the message that is refused: lastMessageId of the newest failure in attempts/list.
           * @example msg_Jx2mQ8r0cE3vK5nT7yB1aZ4dF6gH9wLp
           */
          messageId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The page was skipped.",
           *       "endpoint": {
           *         "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20",
           *         "url": "https://receiver.example/rounds",
           *         "description": "Copy for the data warehouse",
           *         "events": [
           *           "readings.changed",
           *           "patient.erased"
           *         ],
           *         "readingTypes": [
           *           "bloodPressure",
           *           "heartRate"
           *         ],
           *         "thin": false,
           *         "state": "active",
           *         "behindSince": null,
           *         "failures": 0,
           *         "replays": 0,
           *         "addedBy": "integration-service",
           *         "addedAt": "2026-11-17T08:15:30.125Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  testEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "endpointId": "2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20"
         *     }
         */
        'application/json': {
          /**
           * @description Id of the endpoint, as endpoints/add gave it.
           * @example 2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20
           */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description The message was sent, or could not be. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The test is over; attempt says how it ended.",
           *       "attempt": {
           *         "status": 204,
           *         "durationMs": 38,
           *         "messageId": "msg_Jx2mQ8r0cE3vK5nT7yB1aZ4dF6gH9wLp"
           *       }
           *     }
           */
          'application/json': {
            attempt: {
              /** @description How long it took. */
              durationMs: number
              /** @description Why it failed, in one word as in attempts/list; left out if it did not. */
              error?: string
              /** @description webhook-id of the message. */
              messageId: string
              /** @description The HTTP status of the answer, if there was one. */
              status?: number
            }
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this, the same whether or not that patient exists; or the patient was erased. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description There is no such path, no such reading, rule or alert of this patient, or no such endpoint. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The request arrived too slowly: headers have 5 seconds, the whole has 10. */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests from this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The headers take more than 8 KiB. */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description An internal error. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Overloaded, the database or the token issuer cannot be reached, or patients are being moved; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
}
