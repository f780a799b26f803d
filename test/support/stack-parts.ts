import type { StackModel } from '@package-registry/local-aws';
import { settingVariables } from '../../shared/api/resources.ts';
import type { Reach } from '../../shared/domain/packages/reach.ts';
import { functionOf } from './functions.ts';
import { hangMs } from './hang.ts';

/** The parts of the stack that run. */
export interface StackParts {
  /** Whether the licenses are loaded, as on deployment. Most tests need none, and start faster without them. */
  readonly licenses?: boolean;
  /** Whether changes become events. */
  readonly events?: boolean;
  /** Whether the index workers consume review states. */
  readonly indexing?: boolean;
  /** The URL of OSV.dev for scans of submissions; absent: no scans. */
  readonly osvUrl?: string;
  /** The URL of the origins for upstream metadata of submissions; absent: no requests. */
  readonly originUrl?: string;
  /** The largest step of updates that the registry submits itself; absent: none. */
  readonly followUpdates?: Reach;
  /** Whether installs through the gate submit what the registry does not have. */
  readonly gateRequests?: boolean;
  /** Whether decisions are signed. */
  readonly signDecisions?: boolean;
  /** Whether rules decide automatically. */
  readonly policy?: boolean;
  /** The seconds until a failed message becomes visible again; absent: longer than any test. */
  readonly hiddenSeconds?: number;
}

/** Returns the stack with the parts of a test, and with the test's OSV.dev and origins. */
export const partsFor =
  ({
    licenses = false,
    events = false,
    indexing = false,
    osvUrl,
    originUrl,
    policy = false,
    followUpdates,
    gateRequests = false,
    signDecisions = false,
    hiddenSeconds = hangMs / 1000,
  }: StackParts) =>
  (model: StackModel): StackModel => ({
    ...model,
    customResources: licenses ? model.customResources : {},
    eventSources: pickDriving(model.eventSources, model, [
      ...(events ? ['sequence-events'] : []),
      ...(indexing ? ['index-versions'] : []),
      ...(policy ? ['apply-policy'] : []),
      ...(signDecisions ? ['sign-decisions'] : []),
      ...((osvUrl ?? originUrl) === undefined ? [] : ['forward-versions']),
    ]),
    queueSources: pickDriving(model.queueSources, model, [
      ...(osvUrl === undefined ? [] : ['scan-submissions']),
      ...(originUrl === undefined ? [] : ['collect-facts']),
      ...(followUpdates || gateRequests ? ['submit-requested'] : []),
    ]),
    queues: hiding(model.queues, hiddenSeconds),
    functions: unhurried(
      overrideVariables(model.functions, {
        [settingVariables.osvScanning]: String(osvUrl !== undefined),
        [settingVariables.collectFacts]: String(originUrl !== undefined),
        [settingVariables.followUpdates]: followUpdates ?? 'none',
        [settingVariables.gateRequests]: String(gateRequests),
        [settingVariables.signDecisions]: String(signDecisions),
        ...(osvUrl !== undefined && { [settingVariables.osvUrl]: osvUrl }),
        ...(originUrl !== undefined && {
          [settingVariables.npmUrl]: `${originUrl}/npm`,
          [settingVariables.pypiUrl]: `${originUrl}/pypi`,
          [settingVariables.mavenUrl]: `${originUrl}/maven`,
          [settingVariables.dockerUrl]: `${originUrl}/docker`,
          [settingVariables.malwareFeedUrl]: `${originUrl}/malware`,
          [settingVariables.trustedRootUrl]: `${originUrl}/tuf`,
        }),
      }),
    ),
  });

/** Keeps only the event sources of these workers. */
const pickDriving = <Source extends { readonly functionId: string }>(
  sources: Readonly<Record<string, Source>>,
  model: StackModel,
  workers: readonly string[],
): Record<string, Source> => {
  const ids = workers.map((worker) => functionOf(model, worker).id);
  return Object.fromEntries(
    Object.entries(sources).filter(([, { functionId }]) => ids.includes(functionId)),
  );
};

const hiding = (
  queues: StackModel['queues'],
  visibilityTimeoutSeconds: number,
): StackModel['queues'] =>
  Object.fromEntries(
    Object.entries(queues).map(([id, queue]) => [id, { ...queue, visibilityTimeoutSeconds }]),
  );

/** Raises the timeouts, because a busy machine is slower than Lambda. */
const unhurried = (functions: StackModel['functions']): StackModel['functions'] =>
  Object.fromEntries(
    Object.entries(functions).map(([id, one]) => [
      id,
      { ...one, timeoutSeconds: Math.max(one.timeoutSeconds, hangMs / 1000) },
    ]),
  );

/** Overrides environment variables of the functions that have them. */
const overrideVariables = (
  functions: StackModel['functions'],
  overrides: Readonly<Record<string, string>>,
): StackModel['functions'] =>
  Object.fromEntries(
    Object.entries(functions).map(([id, one]) => {
      const changed = Object.entries(overrides).filter(([variable]) => variable in one.environment);
      return [id, { ...one, environment: { ...one.environment, ...Object.fromEntries(changed) } }];
    }),
  );

/** Returns the change of a stack that overrides environment variables of the functions that have them. */
export const overridingVariables =
  (overrides: Readonly<Record<string, string>>) =>
  (model: StackModel): StackModel => ({
    ...model,
    functions: overrideVariables(model.functions, overrides),
  });
