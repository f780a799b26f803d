import { ArchiveError } from './archive.ts';

const refuseRecord = (): ArchiveError =>
  new ArchiveError('is damaged: an extended header of the tar archive is wrong');

/** The start of a record: its length in bytes, which counts itself. */
const recordStart = /^([1-9]\d{0,6}) /;

/**
 * Parses the records of a PAX header, `LENGTH KEY=VALUE` and a line break each.
 * @throws {ArchiveError} if a record is wrong
 */
export const parsePaxRecords = (data: Buffer): ReadonlyMap<string, string> => {
  const records = new Map<string, string>();
  let at = 0;
  while (at < data.length) {
    const [start = '', digits] = recordStart.exec(data.toString('latin1', at, at + 8)) ?? [];
    const end = at + Number(digits);
    const lineEnd = end - 1;
    if (!digits || end > data.length || lineEnd < at + start.length || data[lineEnd] !== 0x0a)
      throw refuseRecord();
    const record = data.toString('utf8', at + start.length, lineEnd);
    const equals = record.indexOf('=');
    if (equals < 1) throw refuseRecord();
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return records;
};
