/** Reads EventBridge rules that invoke functions by the clock. */
import * as z from 'zod';
import { parseJson } from '../json.ts';
import type { Resource } from './assembly.ts';
import { findFunction } from './functions.ts';
import { permits, readPermissions } from './invoke-permissions.ts';
import type { LambdaFunction, Schedule, ScheduleTarget } from './model.ts';
import { ruleArn } from './names.ts';
import { type Reader, readWhole, UnsupportedResourceError } from './reader.ts';

const ruleSchema = z.object({
  Description: z.string().optional(),
  Name: z.string().optional(),
  ScheduleExpression: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Tags: z.unknown().optional(),
  Targets: z
    .array(
      z.strictObject({
        Arn: z.string(),
        Id: z.string(),
        Input: z.string().optional(),
        // Both are about events that do not reach Lambda at all, which cannot happen here.
        DeadLetterConfig: z.unknown().optional(),
        RetryPolicy: z.unknown().optional(),
      }),
    )
    .default([]),
});

const invokeConfigSchema = z.object({
  FunctionName: z.string(),
  MaximumRetryAttempts: z.int().min(0).max(2).default(2),
  Qualifier: z.string().optional(),
});

/** How often Lambda retries an asynchronous invocation, unless told otherwise. */
const defaultRetryAttempts = 2;

const minuteMs = 60_000;
const unitMs: Readonly<Record<string, number>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
};

const readRate = (resource: Resource, expression: string): number => {
  const { value, unit = '' } =
    /^rate\((?<value>[1-9][0-9]*) (?<unit>minute|hour|day)s?\)$/.exec(expression)?.groups ?? {};
  const everyMs = Number(value) * (unitMs[unit] ?? Number.NaN);
  if (Number.isNaN(everyMs)) {
    throw new UnsupportedResourceError(
      resource,
      `${expression} is not run locally, only rate(...) is`,
    );
  }
  return everyMs;
};

/** What the template says of asynchronous invocations of this function. */
const readRetryAttempts = (reader: Reader, target: LambdaFunction): number => {
  for (const resource of reader.ofType('AWS::Lambda::EventInvokeConfig')) {
    const { FunctionName } = reader.read(resource, invokeConfigSchema);
    if (findFunction([target], FunctionName) === undefined) continue;
    return readWhole(reader, resource, invokeConfigSchema).MaximumRetryAttempts;
  }
  return defaultRetryAttempts;
};

const parseInput = (resource: Resource, input: string): unknown => {
  const event = parseJson(input);
  if (event === undefined) {
    throw new UnsupportedResourceError(resource, 'the Input of a target is not JSON');
  }
  return event;
};

type Rule = z.output<typeof ruleSchema>;

const readTargets = (
  reader: Reader,
  resource: Resource,
  { rule, arn, functions }: { rule: Rule; arn: string; functions: readonly LambdaFunction[] },
): readonly ScheduleTarget[] => {
  const permissions = readPermissions(reader, 'events.amazonaws.com');
  return rule.Targets.map(({ Arn, Input }) => {
    const target = findFunction(functions, Arn);
    if (target === undefined)
      throw new UnsupportedResourceError(resource, `${Arn} is not one of its functions`);
    return {
      functionId: target.id,
      ...(Input !== undefined && { input: parseInput(resource, Input) }),
      permitted: permits(permissions, target, arn),
      retryAttempts: readRetryAttempts(reader, target),
    };
  });
};

/** Whether the rule waits for events, and not for the clock. */
const isOnEvents = ({ properties }: Resource): boolean =>
  'EventPattern' in properties && !('ScheduleExpression' in properties);

/**
 * The enabled schedules. Rules on events are left out where there shall be no buses.
 * @throws {TemplateError} for another rule on events, for a cron expression, and for a target that is no function
 */
export const readSchedules = (
  reader: Reader,
  functions: readonly LambdaFunction[],
  goWithout: readonly string[],
): readonly Schedule[] => {
  const hasBuses = !goWithout.includes('AWS::Events::EventBus');
  return reader.ofType('AWS::Events::Rule').flatMap((resource) => {
    if (!hasBuses && isOnEvents(resource)) return [];
    const rule = readWhole(reader, resource, ruleSchema);
    if (rule.State === 'DISABLED') return [];
    const arn = ruleArn(rule.Name ?? resource.id);
    const everyMs = readRate(resource, rule.ScheduleExpression);
    return [
      {
        id: resource.id,
        arn,
        everyMs,
        targets: readTargets(reader, resource, { rule, arn, functions }),
      },
    ];
  });
};
