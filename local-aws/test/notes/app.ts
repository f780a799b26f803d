/** Example app: an API that stores notes under paths. It has one resource of each type that runs locally. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, type ITable, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import {
  Code,
  Function as LambdaFunction,
  Runtime,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { buildSync } from 'esbuild';

const bundles = mkdtempSync(join(tmpdir(), 'notes-'));
const app = new App({ analyticsReporting: false });
const env = { account: '123456789012', region: 'eu-west-1' };
const stack = new Stack(app, 'Notes', { env });

const path = { name: 'path', type: AttributeType.STRING };
const dynamoStream = StreamViewType.NEW_AND_OLD_IMAGES;
const notes = new TableV2(stack, 'NotesTable', { partitionKey: path, dynamoStream });
const changes = new TableV2(stack, 'ChangesTable', { partitionKey: path });
const unswept = new Queue(stack, 'Unswept');
const swept = new Queue(stack, 'Swept', {
  visibilityTimeout: Duration.minutes(1),
  deadLetterQueue: { queue: unswept, maxReceiveCount: 1 },
});
const key = new Secret(stack, 'Key', { generateSecretString: { excludePunctuation: true } });

/** One function a file, bundled with all that it imports. */
const addFunction = (name: string): LambdaFunction => {
  const entry = fileURLToPath(new URL(`./functions/${name}.ts`, import.meta.url));
  const outfile = join(bundles, name, 'index.js');
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', minify: true });
  return new LambdaFunction(stack, name, {
    code: Code.fromAsset(join(bundles, name)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    environment: {
      NOTES_TABLE: notes.tableName,
      CHANGES_TABLE: changes.tableName,
      KEY_ARN: key.secretArn,
      SWEPT_QUEUE: swept.queueUrl,
    },
  });
};

const api = new RestApi(stack, 'Api');
const files = addFunction('files');
const integration = new LambdaIntegration(files, { allowTestInvoke: false });
for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
  api.root.resourceForPath('/files/{path+}').addMethod(method, integration);
}
api.root.resourceForPath('/changes').addMethod('GET', integration);
notes.grantReadWriteData(files);
changes.grantReadData(files);
key.grantRead(files);

const recorder = addFunction('recorder');
const onFailure = new SqsDlq(new Queue(stack, 'Failures'));
const startingPosition = StartingPosition.TRIM_HORIZON;
recorder.addEventSource(
  new DynamoEventSource(notes as ITable, {
    startingPosition,
    onFailure,
    retryAttempts: 0,
    batchSize: 1,
  }),
);
changes.grantWriteData(recorder);

const sweeper = addFunction('sweeper');
const schedule = Schedule.rate(Duration.hours(1));
new Rule(stack, 'Hourly', { schedule, targets: [new LambdaTarget(sweeper)] });
notes.grantReadData(sweeper);
swept.grantSendMessages(sweeper);

const remover = addFunction('remover');
remover.addEventSource(
  new SqsEventSource(swept, { reportBatchItemFailures: true, maxConcurrency: 2 }),
);
notes.grantWriteData(remover);

const greeter = addFunction('greeter');
const properties = { text: app.node.getContext('welcome') };
new CustomResource(stack, 'Welcome', { serviceToken: greeter.functionArn, properties });
notes.grantWriteData(greeter);

app.synth();
rmSync(bundles, { recursive: true });
