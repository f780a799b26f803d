import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { customResource } from '../../shared/platform/worker/custom-resource.ts';
import { worker } from '../../shared/platform/worker/worker.ts';
import { DataFormatError } from '../../shared/storage/dynamodb/data-format-error.ts';
import { synthesiseStack } from '../support/stack-template.ts';
import { refTo } from './properties/alarms.ts';
import { findResource, listResources } from './properties/property.ts';

const template = synthesiseStack();

const { FilterPattern } = findResource(
  template,
  'AWS::Logs::MetricFilter',
  'MonitoringCountWorkerFaults',
)['Properties'];

/** Returns whether the metric filter counts the line. Lambda's lines have tabs where AWS's pages show spaces. */
const isCounted = (line: string): boolean =>
  new RegExp(FilterPattern.slice(1, -1)).test(line.replaceAll('  ', '\t'));

const lines: string[] = [];
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  lines.length = 0;
});

const context = { awsRequestId: 'r-1', getRemainingTimeInMillis: () => 60_000 } as Context;
const id = '5b866fb1-7154-4af6-8078-6ef6ca4c2ddd';
const report = `REPORT RequestId: ${id}  Duration: 133.61 ms  Billed Duration: 134 ms  Memory Size: 128 MB  Max Memory Used: 31 MB`;

describe('the metric of failed runs', () => {
  it('has a pattern that metric filters accept', () => {
    expect(FilterPattern).toMatch(/^%[\w:#=@/;,\-^$?[\]{}|\\*+.]+%$/);
    expect(FilterPattern.length).toBeLessThanOrEqual(1024);
  });

  it('counts a worker that throws, once', async () => {
    const failing = worker(z.object({}), () => Promise.reject(new Error('The feed is away')));

    await expect(failing({}, context)).rejects.toThrow('The feed is away');
    expect(lines.filter(isCounted)).toHaveLength(1);
  });

  it('counts a worker whose event is invalid', async () => {
    const strict = worker(z.object({ days: z.number() }), async () => undefined);

    await expect(strict({}, context)).rejects.toThrow();
    expect(lines.filter(isCounted)).toHaveLength(1);
  });

  it.each([
    ['does not count a run that an upgrade of the data postpones', true, 0],
    ['counts a run with data of a later release', false, 1],
  ])('%s', async (_, isTemporary, count) => {
    const refused = worker(z.object({}), () =>
      Promise.reject(new DataFormatError('The data has another format', isTemporary)),
    );

    await expect(refused({}, context)).rejects.toThrow('another format');
    expect(lines.filter(isCounted)).toHaveLength(count);
  });

  it('does not count a custom resource that fails, which fails its deployment', async () => {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
    const load = customResource(z.object({}), () => Promise.reject(new Error('No license list')));
    const ids = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l', RequestType: 'Create' };
    const ResponseURL = 'https://cloudformation.invalid/';

    await load({ ...ids, ResponseURL, ResourceProperties: {} }, context);
    expect(lines.join()).toContain('custom_resource_failed');
    expect(lines.filter(isCounted)).toEqual([]);
  });

  it.each([
    `${report}  Init Duration: 80.00 ms  Status: error  Error Type: Runtime.ExitError`,
    `${report}  Status: error  Error Type: Runtime.OutOfMemory`,
    `${report}  Status: error  Error Type: Runtime.ImportModuleError`,
    `${report}  Init Duration: 84.00 ms  Status: timeout`,
    // In China and GovCloud.
    `2024-03-04T17:22:38.033Z ${id} Task timed out after 3.00 seconds`,
    `RequestId: ${id} Error: Runtime exited with error: signal: killed`,
    `RequestId: ${id} Error: Runtime exited without providing a reason`,
  ])("counts Lambda's line %s", (line) => {
    expect(isCounted(line)).toBe(true);
  });

  it.each([
    report,
    `START RequestId: ${id} Version: $LATEST`,
    `END RequestId: ${id}`,
    // Lambda starts an instance again whose start took too long: the run may succeed.
    'INIT_REPORT Init Duration: 9999.60 ms  Phase: init  Status: timeout',
    `${report}  Init Duration: 84.00 ms  XRAY TraceId: 1-5bef4de7  Sampled: true`,
    '{"level":"error","event":"scan_failed","error":{"message":"Task timed out after 3.00 seconds"}}',
    '{"level":"info","event":"request","path":"/packages/worker_failed","status":200}',
    '{"level":"error","event":"item_failed","error":"{\\"event\\":\\"worker_failed\\",\\"x\\":1}"}',
  ])('does not count the line %s', (line) => {
    expect(isCounted(line)).toBe(false);
  });

  it('is made of lines in the text format of Lambda, which every worker has', () => {
    const formats = listResources(template, 'AWS::Lambda::Function').map(
      ({ Properties }) => Properties.LoggingConfig.LogFormat ?? 'Text',
    );

    expect(new Set(formats)).toEqual(new Set(['Text']));
  });
});

describe('the saved query', () => {
  it('lists the workers by the lines that the metric counts', () => {
    const { Name, QueryString, LogGroupNames } = findResource(
      template,
      'AWS::Logs::QueryDefinition',
      'MonitoringWorkerFaultsQuery',
    )['Properties'];

    expect(Name).toBe('PackageRegistry/Worker faults');
    expect(QueryString).toContain(`| filter @message like /${FilterPattern.slice(1, -1)}/`);
    expect(QueryString).toContain('by worker');
    expect(LogGroupNames).toEqual([refTo(template, 'AWS::Logs::LogGroup', 'WorkersLog')]);
  });
});
