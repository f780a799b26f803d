/** The measured installs as a table to read. */
import { compare, median, type Ratio } from '../functions/figures.ts';
import type { Install, Round } from './rounds.ts';

/** Figures of one candidate: medians of its rounds. */
export interface CandidateReport extends Omit<Install, 'ms'> {
  readonly time: Ratio;
}

/** Figures of one client by candidate. Ratios are to `direct`. */
export type ClientReport = Readonly<Record<string, CandidateReport>>;

/** Figures by client. */
export type Report = Readonly<Record<string, ClientReport>>;

export const base = 'direct';

/** Returns the figures of one client. */
export const summarize = (rounds: readonly Round[]): ClientReport => {
  const times = rounds.map((round) =>
    Object.fromEntries(Object.entries(round).map(([name, { ms }]) => [name, ms * 1000])),
  );
  const summarizeOne = ([name, time]: [string, Ratio]): [string, CandidateReport] => {
    const installs = rounds.flatMap((round) => round[name] ?? []);
    const medianOf = (field: keyof Install): number => median(installs.map((one) => one[field]));
    return [
      name,
      {
        time,
        installed: medianOf('installed'),
        gateRequests: medianOf('gateRequests'),
        originRequests: medianOf('originRequests'),
        readUnits: medianOf('readUnits'),
      },
    ];
  };
  return Object.fromEntries(Object.entries(compare(times, base)).map(summarizeOne));
};

const nameWidth = 24;
const columnWidth = 11;
const microsecondsInSecond = 1_000_000;

const line = (name: string, cells: readonly string[]): string =>
  `${name.padEnd(nameWidth)}${cells.map((cell) => cell.padStart(columnWidth)).join('')}`.trimEnd();

const show = (count: number): string =>
  count === 0 ? '-' : Math.round(count).toLocaleString('en');

const showCandidate = (name: string, one: CandidateReport): string => {
  const { microseconds, ratio, from, to } = one.time;
  return line(`  ${name}`, [
    `${(microseconds / microsecondsInSecond).toFixed(1)} s`,
    ...[ratio, from, to].map((value) => value.toFixed(2)),
    ...[one.installed, one.gateRequests, one.originRequests, one.readUnits].map(show),
  ]);
};

const heads = [
  'time',
  'to direct',
  '10%',
  '90%',
  'installed',
  'to gate',
  'to origin',
  'read units',
];

/** Returns the figures of one client as a table. */
export const formatClient = (client: string, candidates: ClientReport): string =>
  [
    line(client, heads),
    ...Object.entries(candidates).map(([name, one]) => showCandidate(name, one)),
  ].join('\n');

export const legend = `time: medians by the clock, with an empty cache and no installed packages
to direct: medians of the ratios within a round, and where eight of ten rounds lie
installed: packages (jar files with Maven); to gate, to origin: requests; read units: reads of the gate in DynamoDB
direct: the origin on this machine, which replays upstream's answers, with the delay of --delay
gate: its functions, its API and its database run on this machine, too, and take processor time from the client
Verdaccio: its storage has all packages since the first round, which does not count
npm: lockfile without addresses; npm, addresses: lockfile with addresses of the registry, as npm writes it by default
`;
