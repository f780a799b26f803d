import type { StackModel } from 'local-aws';
import { settingVariables } from '../../shared/api/resources.ts';
import { functionOf } from './functions.ts';
import { hangMs } from './hang.ts';

/** Which parts of the stack run. */
export interface StackParts {
  /** Whether the licenses are loaded, as on deployment. Most tests need none, and start sooner without. */
  readonly licenses?: boolean;
  /** Whether what happens becomes events. */
  readonly events?: boolean;
  /** Whether versions are listed by what follows from their heads. */
  readonly indexing?: boolean;
  /** Where OSV.dev is asked about what is submitted; absent: nothing is scanned. */
  readonly osvUrl?: string;
  /** Where the origins are asked about what is submitted; absent: none is. */
  readonly originUrl?: string;
  /** Whether rules decide on what needs no person. */
  readonly policy?: boolean;
  /** After how many seconds a message comes again whose function failed; absent: not in any test. */
  readonly hiddenSeconds?: number;
}

/** The stack with the parts that a test wants, and with its OSV.dev and its origins in place of the real ones. */
export const partsFor =
  ({
    licenses = false,
    events = false,
    indexing = false,
    osvUrl,
    originUrl,
    policy = false,
    hiddenSeconds = hangMs / 1000,
  }: StackParts) =>
  (model: StackModel): StackModel => ({
    ...model,
    customResources: licenses ? model.customResources : {},
    eventSources: pickDriving(model.eventSources, model, [
      ...(events ? ['sequence-events'] : []),
      ...(indexing ? ['index-versions'] : []),
      ...(policy ? ['apply-policy'] : []),
      ...((osvUrl ?? originUrl) === undefined ? [] : ['forward-versions']),
    ]),
    queueSources: pickDriving(model.queueSources, model, [
      ...(osvUrl === undefined ? [] : ['scan-submissions']),
      ...(originUrl === undefined ? [] : ['collect-facts']),
    ]),
    queues: hiding(model.queues, hiddenSeconds),
    functions: unhurried(
      telling(model.functions, {
        [settingVariables.osvScanning]: String(osvUrl !== undefined),
        [settingVariables.collectFacts]: String(originUrl !== undefined),
        ...(osvUrl !== undefined && { [settingVariables.osvUrl]: osvUrl }),
        ...(originUrl !== undefined && {
          [settingVariables.npmUrl]: `${originUrl}/npm`,
          [settingVariables.pypiUrl]: `${originUrl}/pypi`,
          [settingVariables.mavenUrl]: `${originUrl}/maven`,
          [settingVariables.dockerUrl]: `${originUrl}/docker`,
        }),
      }),
    ),
  });

/** Only what drives these workers. */
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

/** A machine with other work is slower than Lambda: no function ends there because of that. */
const unhurried = (functions: StackModel['functions']): StackModel['functions'] =>
  Object.fromEntries(
    Object.entries(functions).map(([id, one]) => [
      id,
      { ...one, timeoutSeconds: Math.max(one.timeoutSeconds, hangMs / 1000) },
    ]),
  );

/** The functions, told something else where they are told it at all. */
const telling = (
  functions: StackModel['functions'],
  told: Readonly<Record<string, string>>,
): StackModel['functions'] =>
  Object.fromEntries(
    Object.entries(functions).map(([id, one]) => {
      const changed = Object.entries(told).filter(([variable]) => variable in one.environment);
      return [id, { ...one, environment: { ...one.environment, ...Object.fromEntries(changed) } }];
    }),
  );
