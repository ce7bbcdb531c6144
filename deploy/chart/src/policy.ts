import { containersOf, type Container, type Manifest, type Workload, workloads } from './manifests';

/** One rule, the checks of kube-linter and Polaris that it implements, and its violations (empty if there are none). */
export interface Policy {
  readonly name: string;
  readonly kubeLinter: readonly string[];
  readonly polaris: readonly string[];
  readonly violations: (manifests: readonly Manifest[]) => string[];
}

export const nameOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`;

export const forWorkloads =
  (breaks: (workload: Workload) => boolean) =>
  (manifests: readonly Manifest[]): string[] =>
    workloads(manifests).flatMap((workload) => (breaks(workload) ? [nameOf(workload.manifest)] : []));

export const forContainers =
  (breaks: (container: Container, workload: Workload) => boolean) =>
  (manifests: readonly Manifest[]): string[] =>
    workloads(manifests).flatMap((workload) =>
      containersOf(workload)
        .filter((container) => breaks(container, workload))
        .map((container) => `${nameOf(workload.manifest)} ${container.name}`),
    );
