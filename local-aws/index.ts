/** Public API: runs a synthesised CDK stack locally. All other files are internal. */

// Synthesise an app and start its stack.

export type { PreparedStack } from './src/stack/prepared-stack.ts';
export { type LocalStack, type StackOptions, startStack } from './src/stack/start-stack.ts';
export { StartError } from './src/start-error.ts';
export { type SynthesisOptions, synthesise } from './src/synthesis.ts';

// Check the requirements of a start before its slow part.

export { hasEngine } from './src/engine/dynamodb-engine.ts';
export { findFreePort } from './src/loopback.ts';
export { type DataFolder, openDataFolder } from './src/stack/data-folder.ts';

// Read the model of a stack, and deploy its custom resources again.

export { deployCustomResources } from './src/stack/deploy-custom-resources.ts';
export type { KeyElement, LambdaFunction, Route, StackModel, Table } from './src/template/model.ts';
export { region } from './src/template/names.ts';
export { readStack } from './src/template/template.ts';

// Observe responses, and send requests without an HTTP server.

export { createGateway, type Exchange, type OwnRequest } from './src/gateway/gateway.ts';

// Observe and disturb the AWS calls of functions.

export type { AwsHooks, FunctionCall } from './src/aws/aws-proxy.ts';
export { findRequiredAccess } from './src/iam/required-access.ts';

// Run tables, secrets and signing keys without a stack.

export { type ImportOptions, importTables } from './src/engine/import-tables.ts';
export { type RunningTables, startTables, type TablesOptions } from './src/engine/start-tables.ts';
export { startSigningKeys } from './src/kms/start-signing-keys.ts';
export { type RunningSecret, startSecret } from './src/secrets/start-secret.ts';
export { createStreamsApi, type StreamsApi } from './src/streams/streams-api.ts';
