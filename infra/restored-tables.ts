/** The settings with which a deployment uses tables that were restored from a backup. */
import * as z from 'zod';
import { findTableDefinition, type TableId, tables } from '../shared/api/resources.ts';
import { jsonObject } from './setting-kinds.ts';

const tableIds = Object.keys(tables) as [TableId, ...TableId[]];

const restoredTablesRule = `must be a JSON object from ${tableIds.join(', ')} to names of existing tables`;

/** Names of restored tables, by table id. */
export const RestoredTables = jsonObject(
  z.partialRecord(
    z.enum(tableIds, { error: restoredTablesRule }),
    z.string({ error: restoredTablesRule }).min(3, { error: restoredTablesRule }),
    { error: restoredTablesRule },
  ),
);

export const streamedTables = tableIds.filter((id) => findTableDefinition(id).streamed) as [
  TableId,
  ...TableId[],
];

const restoredStreamsRule = `must be a JSON object from ${streamedTables.join(', ')} to ARNs of DynamoDB streams`;
const streamRule = 'must be the ARN of a DynamoDB stream';
const streamPattern = /^arn:aws[a-z-]*:dynamodb:[^:]+:\d{12}:table\/[^/]+\/stream\/.+$/;

/** ARNs of the streams of restored tables, by table id. */
export const RestoredStreams = jsonObject(
  z.partialRecord(
    z.enum(streamedTables, { error: restoredStreamsRule }),
    z.string({ error: streamRule }).regex(streamPattern, { error: streamRule }),
    { error: restoredStreamsRule },
  ),
);

/** The settings about restored tables, and those that need the stream of one. */
interface Restored {
  readonly restoredTables: z.output<typeof RestoredTables>;
  readonly restoredStreams: z.output<typeof RestoredStreams>;
  readonly osvScanning: boolean;
  readonly collectFacts: boolean;
}

/** Returns what is wrong with the stream of a restored table, which must be the table's own. */
export const findStreamFault = (
  { osvScanning, collectFacts, restoredTables, restoredStreams }: Restored,
  id: TableId,
): string | undefined => {
  const [restored, stream] = [restoredTables[id], restoredStreams[id]];
  if (stream === undefined) {
    // Only scanning and upstream metadata need the stream of submitted versions.
    const isNeeded = id !== 'packages' || osvScanning || collectFacts;
    const instead = id === 'packages' ? ', or set osvScanning and collectFacts to false' : '';
    return restored && isNeeded
      ? `must name the stream of ${restored}: enable it (${findTableDefinition(id).streamed}) and give its ARN as ${id}${instead}`
      : undefined;
  }
  if (!restored) return `names a stream of ${id}, which is not among the restoredTables`;
  const [, table] = stream.split('/');
  return table === restored ? undefined : `must name the stream of ${restored}, not of ${table}`;
};
