/** Keeps the log readable on a machine without internet, where what asks others fails for each version again. */
import type { StackOptions } from 'local-aws';

type WriteLog = NonNullable<StackOptions['onLog']>;

const failedConnection = /The connection to (?<host>\S+) failed(?: \((?<code>\w+)\))?/;
/** What a worker says besides, that could do nothing for any of its versions. */
const inConsequence = /of \d+ versions could be (?:scanned|kept); all are tried again/;

/** Writes the log of the stack as it comes. */
export const writeLog: WriteLog = (_source, line, output) => {
  process[output].write(`${line}\n`);
};

/** Tells once of each host that it cannot be reached, in place of every line that follows from that. */
export const tellUnreachableOnce = (write: WriteLog): WriteLog => {
  const hosts = new Set<string>();
  const asking = new Set<string>();
  return (source, line, output) => {
    const { host, code } = failedConnection.exec(line)?.groups ?? {};
    if (host === undefined) {
      if (!asking.has(source) || !inConsequence.test(line)) write(source, line, output);
      return;
    }
    asking.add(source);
    if (hosts.has(host)) return;
    const hint = hosts.size === 0 ? ' npm start -- --offline asks nobody.' : '';
    hosts.add(host);
    const why = code === undefined ? '' : ` (${code})`;
    write(source, `${host} cannot be reached${why}: it is asked again later.${hint}`, 'stderr');
  };
};
