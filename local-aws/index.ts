/** Runs a synthesised CDK stack on this machine. Other files are for this folder alone. */

// To synthesise an app and start its stack.

export type { PreparedStack } from './src/stack/prepared-stack.ts';
export { type LocalStack, type StackOptions, startStack } from './src/stack/start-stack.ts';
export { StartError } from './src/start-error.ts';
export { type SynthesisOptions, synthesise } from './src/synthesis.ts';

// To check before the slow part what a start depends on.

export { hasEngine } from './src/engine/dynamodb-engine.ts';
export { findFreePort } from './src/loopback.ts';
export { type DataFolder, openDataFolder } from './src/stack/data-folder.ts';

// What a stack consists of, and how to deploy its custom resources once more.

export { deployCustomResources } from './src/stack/custom-resources.ts';
export type { KeyElement, LambdaFunction, Route, StackModel, Table } from './src/template/model.ts';
export { region } from './src/template/names.ts';
export { readStack } from './src/template/template.ts';

// To see what is answered, and to ask without a server in front.

export { createGateway, type Exchange, type OwnRequest } from './src/gateway/gateway.ts';

// To see and disturb what functions ask of AWS.

export type { AwsHooks, FunctionCall } from './src/aws/aws-proxy.ts';
export { findRequiredAccess } from './src/iam/required-access.ts';

// Tables and secrets without a stack around them.

export { type ImportOptions, importTables } from './src/engine/import-tables.ts';
export { type RunningTables, startTables, type TablesOptions } from './src/engine/start-tables.ts';
export { type RunningSecret, startSecret } from './src/secrets/start-secret.ts';
export { createStreamsApi, type StreamsApi } from './src/streams/streams-api.ts';
