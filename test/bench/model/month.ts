/** The price of a month, from counted units, list prices and the assumed work. */
import { type CountedOperation, countedOperations } from './counted-operations.ts';
import { prices } from './prices.ts';
import { assumed, build, functionMs, storedBytes } from './workload.ts';

/** Work that happens several times in a month. */
interface Work {
  readonly times: number;
  readonly operation: CountedOperation;
  /** Time of the function, in milliseconds. */
  readonly ms: number;
  /** Invocations of functions; less than 1 in batches. */
  readonly invocations?: number;
  /** True for a request through API Gateway, which also has lines in the logs. */
  readonly isRequest?: boolean;
  /** Requests to queues and streams. */
  readonly queueRequests?: number;
  readonly streamReads?: number;
  readonly signatures?: number;
  readonly sentBytes?: number;
}

/** Numbers of versions, and of builds in a day, that the page on speed shows. */
export const modelledSizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
export const modelledBuilds = 1_000;

const gigabyte = 1e9;

/** Returns the price of one piece of work in USD. */
const priceOfOne = ({ operation, ms, ...work }: Work): number => {
  const { readUnits, writeUnits } = countedOperations[operation];
  const gateway = prices.gatewayRequest + (assumed.logBytes / gigabyte) * prices.loggedGb;
  return (
    readUnits * prices.readUnit +
    writeUnits * prices.writeUnit +
    (work.invocations ?? 1) * prices.invocation +
    (ms / 1000) * assumed.memoryGb * prices.functionSecond +
    (work.isRequest ? gateway : 0) +
    (work.queueRequests ?? 0) * prices.queueRequest +
    (work.streamReads ?? 0) * prices.streamRead +
    (work.signatures ?? 0) * prices.signature +
    ((work.sentBytes ?? 0) / gigabyte) * prices.sentGb
  );
};

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

/** Returns the price of works in USD. */
const priceOf = (works: readonly Work[]): number =>
  sum(works.map((work) => work.times * priceOfOne(work)));

/** Returns the works of an operation that a queue starts in batches of ten: sent, received and deleted. */
const queued = { invocations: 0.1, queueRequests: 0.3 } as const;
/** A stream delivers records in batches to its readers. */
const streamed = { invocations: 0.2, streamReads: 0.2 } as const;

const listScheduled = (): readonly Work[] => [
  { times: assumed.dueWorkRuns, operation: 'run of due work, nothing due', ms: functionMs.idleRun },
  { times: assumed.recallRuns, operation: 'run of the recall, no news', ms: functionMs.idleRun },
  {
    times: assumed.rescanRuns,
    operation: 'run of the rescan, nothing due',
    ms: functionMs.idleRun,
  },
];

const listNewVersions = (versions: number): readonly Work[] => {
  const times = versions * assumed.newVersions;
  const { write, request, streamRecord, rescan, refresh } = functionMs;
  return [
    { times, operation: 'submission', ms: write, isRequest: true },
    { times, operation: 'first scan', ms: rescan, ...queued },
    { times, operation: 'first upstream metadata', ms: refresh, ...queued },
    { times, operation: 'index of a submission', ms: streamRecord, ...streamed },
    { times, operation: 'evidence of a version', ms: request, isRequest: true },
    { times, operation: 'approval', ms: write, isRequest: true },
    { times, operation: 'index of an approval', ms: streamRecord, ...streamed },
    { times: times * 2, operation: 'event of a decision', ms: streamRecord, ...streamed },
  ];
};

const listReads = (versions: number): readonly Work[] => {
  const requests =
    assumed.requestsAtLeast + versions * assumed.newVersions * assumed.requestsANewVersion;
  const read = { ms: functionMs.request, isRequest: true, sentBytes: assumed.answerBytes };
  return [
    { times: requests * 0.4, operation: 'one version', ...read },
    { times: requests * 0.3, operation: 'list, any page of 100', ...read },
    { times: requests * 0.2, operation: 'queue of reviews, 50 versions', ...read },
    { times: requests * 0.1, operation: 'check of 100 versions', ...read },
  ];
};

/** Price of a month in USD, by kind of work. */
export interface Month {
  readonly versions: number;
  readonly parts: Readonly<Record<string, number>>;
  readonly total: number;
}

/** Returns the price of a month for a registry of this size, at the default settings. */
export const priceMonth = (versions: number): Month => {
  const approved = versions * assumed.approved;
  const packages = versions / assumed.versionsAPackage;
  const parts = {
    'alarms, dashboard, secret': assumed.alarms * prices.alarm + prices.dashboard + prices.secret,
    'scheduled runs': priceOf(listScheduled()),
    rescans: priceOf([
      {
        times: approved * assumed.rescans,
        operation: 'rescan without news',
        ms: functionMs.rescan,
        invocations: 0,
      },
    ]),
    'upstream metadata': priceOf([
      {
        times: packages * assumed.refreshes,
        operation: 'refresh of a package without news',
        ms: functionMs.refresh,
        ...queued,
      },
    ]),
    'integrity check': priceOf([
      {
        times: versions * assumed.integrityChecks,
        operation: 'integrity check of a version',
        ms: functionMs.integrityCheck,
        invocations: 0,
      },
    ]),
    'new versions': priceOf(listNewVersions(versions)),
    requests: priceOf(listReads(versions)),
    storage: ((versions * storedBytes) / gigabyte) * prices.storedGb,
  };
  return { versions, parts, total: sum(Object.values(parts)) };
};

/** Price that the setting `signDecisions` adds to a month, in USD. */
export interface Signing {
  readonly versions: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Returns the price of signatures of a month: each new version has one decision. */
export const priceSigning = (versions: number): Signing => ({
  versions,
  parts: {
    'key, alarms': prices.key + assumed.signingAlarms * prices.alarm,
    signatures: priceOf([
      {
        ...{ times: versions * assumed.newVersions, operation: 'signature of a decision' },
        ...{ ms: functionMs.signature, signatures: 1, ...streamed },
      },
    ]),
  },
});

/** Price of builds in a month, by the form of their lockfile. */
export interface Builds {
  readonly buildsADay: number;
  readonly ways: readonly {
    readonly name: string;
    readonly requests: number;
    readonly usd: number;
  }[];
}

/** Returns the price of a month of builds. A build installs its lockfile through the gate, and checks it. */
export const priceBuilds = (buildsADay: number): Builds => {
  const builds = buildsADay * assumed.rescans;
  const times = builds * build.packages;
  const request = { ms: functionMs.request, isRequest: true } as const;
  const file: Work = {
    ...{ ...request, times, operation: 'gate: npm file', sentBytes: build.redirectBytes },
  };
  const document: Work = {
    ...{ ...request, times, operation: 'gate: npm document of 100 versions' },
    sentBytes: build.documentBytes,
  };
  const check: Work = {
    ...{ ...request, times: builds * build.checks, operation: 'check of 100 versions' },
    sentBytes: assumed.answerBytes,
  };
  const toWay = (name: string, works: readonly Work[]) => ({
    name,
    requests: sum(works.map((work) => work.times)) / builds,
    usd: priceOf(works),
  });
  return {
    buildsADay,
    ways: [
      toWay('lockfile with the addresses of files', [file, check]),
      toWay('lockfile without addresses', [document, file, check]),
    ],
  };
};
