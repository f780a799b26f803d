/** Reports each unreachable host once, so that the log stays readable on a machine without internet. */
import type { StackOptions } from '@package-registry/local-aws';

type WriteLog = NonNullable<StackOptions['onLog']>;

const failedConnection = /The connection to (?<host>\S+) failed(?: \((?<code>\w+)\))?/;
/** The log line of a worker whose requests all failed. */
const inConsequence = /of \d+ versions could be (?:scanned|kept); all are tried again/;

/** Writes a log line of the stack to standard output or standard error. */
export const writeLog: WriteLog = (_source, line, output) => {
  process[output].write(`${line}\n`);
};

/** Returns a log writer with one line for each unreachable host, in place of one for each failed request. */
export const reportUnreachableOnce = (write: WriteLog): WriteLog => {
  const hosts = new Set<string>();
  const affected = new Set<string>();
  return (source, line, output) => {
    const { host, code } = failedConnection.exec(line)?.groups ?? {};
    if (host === undefined) {
      if (!affected.has(source) || !inConsequence.test(line)) write(source, line, output);
      return;
    }
    affected.add(source);
    if (hosts.has(host)) return;
    const hint = hosts.size === 0 ? ' npm start -- --offline sends no requests.' : '';
    hosts.add(host);
    const why = code === undefined ? '' : ` (${code})`;
    write(source, `${host} cannot be reached${why}: requests are retried later.${hint}`, 'stderr');
  };
};
