/** What a scan result holds at most. Reports come from anyone with a token, and whole results are kept and shown. */
export const limits = {
  findings: 10_000,
  /** Of the vulnerabilities of one result, as `answerBytes` counts them. Lambda takes 6,291,456 bytes in all. */
  resultBytes: 5_500_000,
  tools: 10,
  aliases: 50,
  fixedVersions: 50,
  references: 20,
  components: 200,
  rangeClauses: 50,
  idLength: 128,
  toolLength: 100,
  summaryLength: 1000,
  clauseLength: 300,
  versionLength: 256,
  referenceLength: 2048,
  componentLength: 512,
  sourceLength: 100,
  vectorLength: 300,
  reasonLength: 1000,
} as const;

/**
 * How many bytes a value takes in the answer of a function, which holds the body as a string: its JSON is escaped once
 * more, as JSON.
 */
export const measureAnswer = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
