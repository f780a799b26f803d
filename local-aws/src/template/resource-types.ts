/** Which types of resources run here, and which may be left out. */
import type { Resource } from './assembly.ts';
import { isCustomResource } from './custom-resources.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

/** What the readers of this folder read. */
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
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
];

/** What watches, protects or names a stack, or changes it over months; functions do the same without it. */
const inert = [
  /^AWS::ApiGateway::(Account|ApiKey|BasePathMapping|Deployment|Documentation\w+|DomainName|Model|RequestValidator|UsagePlan|UsagePlanKey)$/,
  /^AWS::(Backup|Budgets|CertificateManager|CloudTrail|CloudWatch|KMS|Route53|WAFv2|XRay)::/,
  /^AWS::CDK::Metadata$/,
  /^AWS::EC2::(EIP|FlowLog|InternetGateway|NatGateway|NetworkAcl\w*|Route|RouteTable|SecurityGroup\w*|Subnet\w*|VPC\w*)$/,
  /^AWS::IAM::(AccessKey|Group|InstanceProfile|ServiceLinkedRole|User|UserToGroupAddition)$/,
  /^AWS::Lambda::(CodeSigningConfig|Version)$/,
  /^AWS::SecretsManager::RotationSchedule$/,
  /^AWS::Logs::(LogGroup|LogStream|MetricFilter|QueryDefinition|ResourcePolicy)$/,
  /^AWS::SNS::(Topic|TopicPolicy)$/,
  /^AWS::SQS::QueuePolicy$/,
];

/** How a topic tells people, and not functions or queues. */
const protocolsForPeople = ['email', 'email-json', 'sms'];

const isForPeople = ({ type, properties }: Resource): boolean =>
  type === 'AWS::SNS::Subscription' && protocolsForPeople.includes(String(properties['Protocol']));

const isInert = (resource: Resource): boolean =>
  inert.some((pattern) => pattern.test(resource.type)) || isForPeople(resource);

/**
 * Holds every resource against what can run.
 * @param goWithout types that the caller knows to be missing
 * @throws {UnsupportedResourceError} for the first one of another type, and for one that a condition governs
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
