/** Reads a synthesised stack: what runs on this machine is what would be deployed. */
import { readAssembly } from './assembly.ts';
import { readCustomResources } from './custom-resources.ts';
import { readEventSources } from './event-sources.ts';
import { readFunctions } from './functions.ts';
import type { StackModel } from './model.ts';
import { readOutputs } from './outputs.ts';
import { readQueues } from './queues.ts';
import { createReader } from './reader.ts';
import { readRestApi } from './rest-api.ts';
import { readRoles } from './roles.ts';
import { readSchedules } from './schedules.ts';
import { readSecrets } from './secrets.ts';
import { readTables } from './tables.ts';

const byId = <T extends { readonly id: string }>(
  parts: readonly T[],
): Readonly<Record<string, T>> => Object.fromEntries(parts.map((part) => [part.id, part]));

/**
 * The stack in a cloud assembly directory, as `cdk synth` writes it. Resources that do nothing locally, such as alarms
 * and log groups, are left out.
 * @throws {TemplateError} naming the resource that cannot run here, and why
 */
export function readStack(assembly: string): StackModel {
  const reader = createReader(readAssembly(assembly));
  const functions = readFunctions(reader);
  const tables = readTables(reader);
  const queues = readQueues(reader);
  return {
    name: reader.template.stackName,
    api: readRestApi(reader, functions),
    functions: byId(functions),
    roles: readRoles(reader, new Set(functions.map(({ roleId }) => roleId))),
    tables: byId(tables),
    secrets: byId(readSecrets(reader)),
    customResources: byId(readCustomResources(reader, functions)),
    queues: byId(queues),
    eventSources: byId(readEventSources(reader, { functions, tables, queues })),
    schedules: byId(readSchedules(reader, functions)),
    outputs: readOutputs(reader),
  };
}
