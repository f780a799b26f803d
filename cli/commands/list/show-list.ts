import type { JsonObject } from '../../../shared/util/json.ts';
import type { Call } from '../../framework/route-description.ts';
import { sendRequest } from '../../framework/send-request.ts';
import { UsageError } from '../../input/usage-error.ts';
import { defaultColumns, droppable, needsFullView, toCells } from './columns.ts';

/**
 * Shows people the chosen columns of a list of package versions, and programs all fields.
 * @throws {UsageError} for `--columns` with `--json` or `--jsonl`
 */
export const showList = async (
  call: Call<'listPackages'>,
  query: JsonObject = {},
): Promise<void> => {
  const { format, terminal } = call.session;
  const chosen = call.flags['columns'] as readonly string[] | undefined;
  if (format !== 'people') {
    if (chosen) throw new UsageError('--columns is for tables: --json and --jsonl have all.');
    await sendRequest(call, { query: { ...(format !== 'name' && { view: 'full' }), ...query } });
    return;
  }
  const columns = chosen ?? defaultColumns;
  const view = { presentRow: (row: object) => toCells(row, columns, terminal.out), droppable };
  const fullView = needsFullView(columns) ? { view: 'full' } : {};
  await sendRequest(call, { query: { ...fullView, ...query }, view });
};
