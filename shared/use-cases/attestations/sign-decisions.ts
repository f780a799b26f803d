import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { RecordStream } from '../../platform/worker/events/record-stream.ts';
import { readRecordImage } from '../../storage/decisions/records.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import {
  signDecision,
  toUnsignedDecision,
  UnsignableError,
  type UnsignedDecision,
} from './sign-decision.ts';

/** Signatures at once. KMS takes at least 300 a second of an account. */
export const parallelSignatures = 5;

type StreamRecord = RecordStream['Records'][number];

/** Returns the decision of a stream record; undefined for other records, and for an unreadable one, which is logged. */
const readDecision = ({ dynamodb }: StreamRecord): UnsignedDecision | undefined => {
  const record = readRecordImage(dynamodb.NewImage);
  if (record) return toUnsignedDecision(record);
  const { SequenceNumber, Keys } = dynamodb;
  logEvent('error', 'record_not_read', { sequence_number: SequenceNumber, keys: Keys });
  return undefined;
};

/** Signs the decision of a stream record. Returns true if that failed and may succeed later. One bad record costs itself alone. */
const failsFor = async (record: StreamRecord): Promise<boolean> => {
  const unsigned = readDecision(record);
  if (!unsigned) return false;
  try {
    await signDecision(unsigned);
    return false;
  } catch (error) {
    const isPermanent = error instanceof UnsignableError;
    const level = isPermanent ? 'error' : 'warn';
    logEvent(level, 'decision_not_signed', { record: unsigned.decision.id, error });
    return !isPermanent;
  }
};

/**
 * Signs the decisions of a batch of new records. Lambda delivers the batch again from the first record that failed; a
 * decision that was signed before keeps its attestation.
 * @throws {Error} if the first record of the batch failed, so that an alarm is raised
 */
export const signDecisions = async ({ Records }: RecordStream): Promise<BatchAnswer> => {
  const failures = await runInParallel(Records, parallelSignatures, failsFor);
  const first = failures.indexOf(true);
  if (first < 0) return reportFailures([]);
  if (first === 0) throw new Error('A decision could not be signed; it is tried again');
  return reportFailures(Records.slice(first, first + 1).map((one) => one.dynamodb.SequenceNumber));
};
