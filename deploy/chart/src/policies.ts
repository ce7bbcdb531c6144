import { CONTAINERS, RESTRICTED } from './pod-policies';
import type { Policy } from './policy';
import { AVAILABILITY, WIRING } from './wiring-policies';

export const POLICIES: Policy[] = [...RESTRICTED, ...CONTAINERS, ...AVAILABILITY, ...WIRING];

/** Checks of theirs that we do not make, and why. */
export const NOT_MADE: Readonly<Record<string, string>> = {
  'minimum-three-replicas': 'two replicas behind a disruption budget; three is the choice of the one who pays for it',
  'hpa-minimum-three-replicas': 'as above',
  'no-anti-affinity': 'topology spread constraints do it without refusing a small cluster',
  'no-node-affinity': 'which nodes is the choice of the operator',
  'priority-class-name': 'a class is an object of the cluster, which the chart cannot know',
  'required-annotation-email': 'house rules of a company: commonAnnotations',
  'required-label-owner': 'house rules of a company: commonLabels',
  'dnsconfig-options': 'names of services are whole here, so that ndots makes no difference',
  'sorted-keys': 'the order of keys means nothing',
  cpuLimitsMissing: 'a service that is held back answers late',
  priorityClassNotSet: 'as priority-class-name',
  topologySpreadConstraint: 'on by default, and a switch',
  missingPodDisruptionBudget: 'on by default, and a switch',
};
