import { CONTAINERS, RESTRICTED } from './pod-policies';
import type { Policy } from './policy';
import { AVAILABILITY, WIRING } from './wiring-policies';

export const POLICIES: Policy[] = [...RESTRICTED, ...CONTAINERS, ...AVAILABILITY, ...WIRING];

const NO_GATEWAY = 'the chart makes routes and no gateways';

/** Checks of the linters that no policy implements, with the reason. Together with the policies they are all checks in linter-checks.json. */
export const NOT_MADE: Readonly<Record<string, string>> = {
  'schema-validation': 'beside the policies: every object of every set is held to the closed schema of its kind',
  'minimum-three-replicas': 'two replicas behind a disruption budget; three is the choice of the one who pays for it',
  'hpa-minimum-three-replicas': 'as above',
  deploymentMissingReplicas: 'two pods of a service by default, and one inference worker of each kind: what it measures waits in a queue',
  hpaMinAvailability: 'as above',
  'no-anti-affinity': 'topology spread constraints do it without refusing a small cluster',
  'no-node-affinity': 'which nodes is the choice of the operator',
  'priority-class-name': 'a class is an object of the cluster, which the chart cannot know',
  priorityClassNotSet: 'as priority-class-name',
  'required-annotation-email': 'house rules of a company: commonAnnotations',
  'required-label-owner': 'house rules of a company: commonLabels',
  'dnsconfig-options': 'names of services are whole here, so that ndots makes no difference',
  'sorted-keys': 'the order of keys means nothing',
  cpuLimitsMissing: 'a service that is held back answers late',
  topologySpreadConstraint: 'on by default, and a switch',
  missingPodDisruptionBudget: 'on by default, and a switch',
  'env-value-from': 'secrets are made by the operator: the chart knows their names and never their content',
  'read-secret-from-env-var': 'the clients of Postgres and NATS take them from the environment, which only the process reads',
  'restart-policy': 'a migration that failed is followed by another pod, so that its log can still be read; a test is run once',
  'job-ttl-seconds-after-finished': 'Helm takes hooks away; a job that went by itself would be made anew by who keeps objects as written',
  metadataAndInstanceMismatched: 'the instance is the release, as the recommended labels of Kubernetes have it, and not each object',
  pullPolicyNotAlways: 'a tag here never moves, and a node that has the image starts it while the registry is unavailable',
  gatewayAllowedRoutesAll: NO_GATEWAY,
  gatewayCrossNamespaceCertificateRef: NO_GATEWAY,
  gatewayInsecureFrontendValidation: NO_GATEWAY,
  gatewayTLSMissing: NO_GATEWAY,
  httpRouteInsecureListener: NO_GATEWAY,
  kgatewayBackendTLSVerificationDisabled: NO_GATEWAY,
  httpRouteBackendTLSMissing: 'within the cluster traffic is plain behind network policies; a mesh encrypts it',
};
