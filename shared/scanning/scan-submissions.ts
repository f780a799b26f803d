import type { PackageId } from '../domain/package-id.ts';
import type { StreamEvent } from '../schemas/stream.ts';
import { packagesTable } from '../store/packages/package-item.ts';
import { readImage } from '../store/stream-image.ts';
import { type Scanning, scanVersions } from './scan-versions.ts';

/** What Lambda is told of a batch: from the first of these records on, it comes again. */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

interface SubmittedVersion extends PackageId {
  readonly sequenceNumber: string;
}

type StreamRecord = StreamEvent['Records'][number];

/** The event source lets new versions through and nothing else. */
const readSubmittedVersion = ({ dynamodb }: StreamRecord): SubmittedVersion => {
  const { ecosystem, name, version } = readImage(packagesTable, dynamodb.NewImage);
  return { ecosystem, name, version, sequenceNumber: dynamodb.SequenceNumber };
};

/** Scans versions that were just submitted, each once. Those that failed are told to Lambda, which tries again. */
export const scanSubmissions = async (
  { Records }: StreamEvent,
  scanning: Scanning,
): Promise<BatchAnswer> => {
  const { failed } = await scanVersions(
    Records.map(readSubmittedVersion),
    // Records come at least once, and somebody may have uploaded a scan meanwhile.
    (status) => status === undefined || status === 'error',
    scanning,
  );
  return {
    batchItemFailures: failed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })),
  };
};
