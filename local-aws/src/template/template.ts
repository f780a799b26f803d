/** Reads a synthesised stack, so that the template of the deployment also runs locally. */
import { readAssembly } from './assembly.ts';
import { readCustomResources } from './custom-resources.ts';
import { readEventSources } from './event-sources.ts';
import { readFunctions } from './functions.ts';
import type { StackModel } from './model.ts';
import { readOutputs } from './outputs.ts';
import { readQueueSources } from './queue-sources.ts';
import { readQueues } from './queues.ts';
import { createReader } from './reader.ts';
import { checkResources } from './resource-types.ts';
import { readRestApi } from './rest-api.ts';
import { readRoles } from './roles.ts';
import { readSchedules } from './schedules.ts';
import { readSecrets } from './secrets.ts';
import { readSigningKeys } from './signing-keys.ts';
import { readTables } from './tables.ts';

const indexById = <T extends { readonly id: string }>(
  parts: readonly T[],
): Readonly<Record<string, T>> => Object.fromEntries(parts.map((part) => [part.id, part]));

export interface ReadOptions {
  /**
   * Resource types to leave out, such as `AWS::Pipes::Pipe`. `AWS::Events::EventBus` also leaves out rules on events.
   */
  readonly goWithout?: readonly string[];
}

/**
 * Returns the model of the stack in a cloud assembly directory, as `cdk synth` writes it. Resources that only monitor or
 * protect a stack, such as alarms, are left out.
 * @throws {TemplateError} with the resource that cannot run locally, and the reason
 */
export const readStack = (assembly: string, { goWithout = [] }: ReadOptions = {}): StackModel => {
  const reader = createReader(readAssembly(assembly));
  checkResources(reader, goWithout);
  const functions = readFunctions(reader);
  const tables = readTables(reader);
  const queues = readQueues(reader);
  return {
    name: reader.template.stackName,
    api: readRestApi(reader, functions),
    functions: indexById(functions),
    roles: readRoles(reader, new Set(functions.map(({ roleId }) => roleId))),
    tables: indexById(tables),
    secrets: indexById(readSecrets(reader)),
    signingKeys: indexById(readSigningKeys(reader)),
    customResources: indexById(readCustomResources(reader, functions)),
    queues: indexById(queues),
    eventSources: indexById(readEventSources(reader, { functions, tables, queues })),
    queueSources: indexById(readQueueSources(reader, { functions, queues })),
    schedules: indexById(readSchedules(reader, functions, goWithout)),
    outputs: readOutputs(reader),
  };
};
