import { maxAnswerBytes } from '../answer-size.ts';

/** Maximum sizes of a scan result. Anyone with a token can upload reports, and results are stored and shown whole. */
export const limits = {
  findings: 10_000,
  /** Bytes of all vulnerabilities of a result, measured by `measureAnswer`. */
  resultBytes: maxAnswerBytes,
  tools: 10,
  /** Ids and aliases of all vulnerabilities of a result. Each of them is listed. */
  ids: 20_000,
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
  fixStateLength: 50,
  notAffectingLength: 300,
} as const;
