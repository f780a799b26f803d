/** Resource types that run locally, and types that are ignored. */
import type { Resource } from './assembly.ts';
import { isCustomResource } from './custom-resources.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

/** Types that the readers of this folder read. */
const read = [
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
];

/** Types that monitor, protect, name or rotate. Functions behave the same without them. */
const inert = [
  /^AWS::ApiGateway::(Account|ApiKey|BasePathMapping|Deployment|Documentation\w+|DomainName|Model|RequestValidator|UsagePlan|UsagePlanKey)$/,
  /^AWS::(Backup|Budgets|CertificateManager|CloudTrail|CloudWatch|Route53|WAFv2|XRay)::/,
  /^AWS::CDK::Metadata$/,
  /^AWS::EC2::(EIP|FlowLog|InternetGateway|NatGateway|NetworkAcl\w*|Route|RouteTable|SecurityGroup\w*|Subnet\w*|VPC\w*)$/,
  /^AWS::IAM::(AccessKey|Group|InstanceProfile|ServiceLinkedRole|User|UserToGroupAddition)$/,
  /^AWS::KMS::(Alias|ReplicaKey)$/,
  /^AWS::Lambda::(CodeSigningConfig|Version)$/,
  /^AWS::SecretsManager::RotationSchedule$/,
  /^AWS::Logs::(LogGroup|LogStream|MetricFilter|QueryDefinition|ResourcePolicy)$/,
  /^AWS::SNS::(Topic|TopicPolicy)$/,
  /^AWS::SQS::QueuePolicy$/,
];

/** Protocols of topics that notify people, not functions or queues. */
const protocolsForPeople = ['email', 'email-json', 'sms'];

const isForPeople = ({ type, properties }: Resource): boolean =>
  type === 'AWS::SNS::Subscription' && protocolsForPeople.includes(String(properties['Protocol']));

const isInert = (resource: Resource): boolean =>
  inert.some((pattern) => pattern.test(resource.type)) || isForPeople(resource);

/**
 * Checks that every resource can run locally or can be ignored.
 * @param goWithout resource types to leave out
 * @throws {UnsupportedResourceError} for the first resource with an unsupported type or with a condition
 */
export const checkResources = ({ template }: Reader, goWithout: readonly string[]): void => {
  for (const resource of template.resources) {
    const { type, condition } = resource;
    if (isInert(resource) || goWithout.includes(type)) continue;
    if (!read.includes(type) && !isCustomResource(resource)) {
      throw new UnsupportedResourceError(
        resource,
        'nothing runs resources of this type here; name it in goWithout to start without them',
      );
    }
    if (condition !== undefined) {
      throw new UnsupportedResourceError(resource, `its Condition ${condition} is not evaluated`);
    }
  }
};
