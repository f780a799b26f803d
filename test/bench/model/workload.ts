/** What the model assumes of an organisation and of the functions. All else is counted, or a list price. */

const hoursAMonth = 730;
const hoursADay = 24;
const hoursAWeek = 7 * hoursADay;
const minutesAMonth = hoursAMonth * 60;

/** Numbers for a month at the default settings. */
export const assumed = {
  /** Share of all versions that is approved. */
  approved: 0.8,
  versionsAPackage: 4,
  /** Versions submitted and approved in a month, as a share of all versions. */
  newVersions: 0.02,
  /** Requests of people: 20,000, and 20 more for each new version. */
  requestsAtLeast: 20_000,
  requestsANewVersion: 20,
  /** Bytes of an answer, compressed, and of the log lines of a request. */
  answerBytes: 5_000,
  logBytes: 1_000,
  memoryGb: 1,
  alarms: 30,
  /** Alarms of the worker that signs, and of its dead-letter queue. */
  signingAlarms: 2,
  dueWorkRuns: minutesAMonth,
  recallRuns: minutesAMonth / 2,
  rescanRuns: minutesAMonth / 15,
  rescans: hoursAMonth / hoursADay,
  refreshes: hoursAMonth / hoursAWeek,
  integrityChecks: hoursAMonth / hoursAWeek,
} as const;

/**
 * Time of functions in milliseconds, for one version or request. Most of it is waiting: 5 to 10 ms for a call to DynamoDB,
 * 1 s for OSV.dev and for an origin.
 */
export const functionMs = {
  request: 45,
  write: 120,
  streamRecord: 20,
  /** A call of KMS takes 10 to 20 ms. */
  signature: 40,
  idleRun: 150,
  /** A hundred versions in 2.5 s. */
  rescan: 25,
  /** Ten packages at a time in 5 s. */
  refresh: 500,
  /** A hundred versions in a second. */
  integrityCheck: 10,
} as const;

/** Build: an install of a lockfile of so many packages, and its check in two requests. */
export const build = {
  packages: 1_400,
  checks: 2,
  /** Bytes of a document and of a redirect. */
  documentBytes: 60_000,
  redirectBytes: 800,
} as const;

/**
 * Bytes of a version in all tables and their indexes, with 100 bytes of overhead for each item: 10,000 for its rows, and about as
 * much for metadata, scans, decisions and events.
 */
export const storedBytes = 18_000;
