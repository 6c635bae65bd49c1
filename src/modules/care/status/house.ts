// The constants of the judgement. No other number decides anything.
export const HOUSE = {
  /** A single reading is a reason for now for a long weekend without a list. */
  urgentHours: 72,
  /** An urgent reading that nobody looked at stays in This week so long after its arrival; an alert that ended so long after its end. */
  lateDays: 14,
  endedAlertDays: 7,
  moderateDays: 7,
  clockDays: 7,
  sharingEndsDays: 7,
  /** A target for all holds for those who measured its type in this time: nobody is silent who never used a cuff, or gave it back. */
  forAllDays: 90,
  /** Windows: today and so many UTC days before. A longer one judges only where the shorter ones have too few values. */
  windowDays: { week: 7, fortnight: 14, month: 28 },
  /** A mean needs six values on three days: the shortest protocol for home blood pressure. */
  meanValues: 6,
  meanOnDays: 3,
  /** A share needs 14 values, or of a sensor 70 % of 14 days in hours. */
  shareValues: 14,
  sensorHours: 0.7 * 14 * 24,
  /** A sensor's time in range fell by ten points from one fortnight to the next. */
  fallBy: 0.1,
  /** So many UTC days what was seen stays seen, where no look-again date says otherwise; an urgent alert, while it is open, 24 hours. */
  seenDays: { mean: 28, goal: 28, lows: 14, fall: 14, silent: 7, clock: 7, sharingEnds: 7, warning: 7 },
  urgentAlertSeenHours: 24,
  /** Clearly worse: `beyond` grew by this much of the limit, and by this part of what it was beyond the limit. */
  worse: { mean: { byLimit: 0.05, byExcess: 0 }, share: { byLimit: 0.1, byExcess: 0.5 } },
  /** A time is impossible more than this ahead of its arrival, or before this year. */
  aheadHours: 24,
  firstYear: 2000,
  /** A value of a sensor stands until the next one, and no longer: a lost signal is no data. */
  standsMinutes: 20,
} as const
