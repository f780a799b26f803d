import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { PackageId } from '../domain/package-id.ts';
import { inParallel } from '../osv/in-parallel.ts';
import type { StreamEvent } from '../schemas/stream.ts';
import type { PackageItem } from '../store/package-item.ts';
import { findLatestScan } from '../store/scans.ts';
import { type Scanning, scanVersions } from './scan-versions.ts';

/** What Lambda is told of a batch: from the first of these records on, it comes again. */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

interface SubmittedVersion extends PackageId {
  readonly sequenceNumber: string;
}

type StreamRecord = StreamEvent['Records'][number];

/** The event source lets only new versions through; that they are whole is checked nowhere else. */
const submittedVersion = ({ dynamodb }: StreamRecord): SubmittedVersion => {
  const { ecosystem, name, version } = unmarshall(dynamodb.NewImage) as PackageItem;
  return { ecosystem, name, version, sequenceNumber: dynamodb.SequenceNumber };
};

const parallelReads = 8;

/** Records come at least once, and a reviewer may have uploaded a scan meanwhile. */
const needsScan = async (version: PackageId): Promise<boolean> => {
  const latest = await findLatestScan(version);
  return latest === undefined || latest.status === 'error';
};

/** Scans versions that were just submitted, each once. Those that failed are told to Lambda, which tries again. */
export const scanSubmissions = async (
  { Records }: StreamEvent,
  scanning: Scanning,
): Promise<BatchAnswer> => {
  const versions = Records.map(submittedVersion);
  const needed = await inParallel(versions, parallelReads, needsScan);
  const failed = await scanVersions(
    versions.filter((_, at) => needed[at]),
    scanning,
  );
  return {
    batchItemFailures: failed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })),
  };
};
