import type { StackModel } from 'local-aws';
import { settingVariables } from '../../shared/resources.ts';
import { functionOf } from './functions.ts';

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
    queues: hidingBriefly(model.queues),
    functions: telling(model.functions, {
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

/** What failed comes again after two seconds, and not after minutes. */
const hidingBriefly = (queues: StackModel['queues']): StackModel['queues'] =>
  Object.fromEntries(
    Object.entries(queues).map(([id, queue]) => [id, { ...queue, visibilityTimeoutSeconds: 2 }]),
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
