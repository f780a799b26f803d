/** Deploys custom resources with CloudFormation's requests to their functions: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requesttypes.html */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { parseJson } from '../json.ts';
import { listenOnLoopback } from '../loopback.ts';
import { StartError } from '../start-error.ts';
import type { CustomResource, StackModel } from '../template/model.ts';
import { stackArn } from '../template/names.ts';
import type { DeployedProperties } from './resource-properties.ts';

/** Thrown if a custom resource fails, which would also fail a deployment. */
class CustomResourceError extends StartError {
  override name = 'CustomResourceError';
}

interface Deployment {
  readonly model: StackModel;
  /** Properties of the deployment before. It updates the resources that have some, and creates the others. */
  readonly deployed: DeployedProperties;
  invoke(functionId: string, event: unknown): Promise<unknown>;
}

const answerSchema = z.object({
  Status: z.enum(['SUCCESS', 'FAILED']),
  Reason: z.string().optional(),
  PhysicalResourceId: z.string().min(1),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
});

/** Starts a server for the responses of functions. Each function sends its response to a URL of its own, as with S3. */
const startAnswerServer = async () => {
  const answers = new Map<string, string>();
  const server = createServer(async (request, response) => {
    if (request.method === 'PUT') answers.set(request.url ?? '', await text(request));
    response.writeHead(request.method === 'PUT' ? 200 : 405).end();
  });
  return { answers, ...(await listenOnLoopback(server, 0)) };
};

const makeEvent = (
  { id, type, properties }: CustomResource,
  { model, deployed }: Deployment,
  responseUrl: string,
) => {
  const before = deployed.find(id);
  return {
    RequestType: before === undefined ? 'Create' : 'Update',
    RequestId: randomUUID(),
    ResponseURL: responseUrl,
    StackId: stackArn(model.name),
    LogicalResourceId: id,
    ResourceType: type,
    ResourceProperties: properties,
    ...(before && { PhysicalResourceId: id, OldResourceProperties: before }),
  };
};

const deployOne = async (
  resource: CustomResource,
  deployment: Deployment,
  { url, answers }: Awaited<ReturnType<typeof startAnswerServer>>,
): Promise<void> => {
  const path = `/${resource.id}`;
  const event = makeEvent(resource, deployment, `${url}${path}`);
  const fail = (why: string): never => {
    throw new CustomResourceError(`the custom resource ${resource.id} failed: ${why}`);
  };
  const invoke = () => deployment.invoke(resource.functionId, event);
  // CloudFormation invokes functions asynchronously, so that Lambda repeats a failed invocation twice.
  await invoke()
    .catch(invoke)
    .catch(invoke)
    .catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
  const answer = answers.get(path);
  if (answer === undefined) fail('its function gave no answer');
  const parsed = answerSchema.safeParse(parseJson(answer ?? ''));
  if (!parsed.success) fail(`its function answered ${answer}`);
  else if (parsed.data.RequestId !== event.RequestId) fail('the answer is to another request');
  else if (parsed.data.Status === 'FAILED') fail(parsed.data.Reason ?? 'for no stated reason');
  await deployment.deployed.save(resource.id, resource.properties);
};

/**
 * Creates or updates every custom resource, sequentially.
 * @throws {CustomResourceError} for the first resource that fails
 */
export const deployCustomResources = async (deployment: Deployment): Promise<void> => {
  const resources = Object.values(deployment.model.customResources);
  if (resources.length === 0) return;
  const server = await startAnswerServer();
  try {
    for (const resource of resources) await deployOne(resource, deployment, server);
  } finally {
    await server.close();
  }
};
