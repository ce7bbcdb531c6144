import { run } from '@tire/chart';

/** Runs bash in the folder of the installation, with kubectl and helm for the cluster. */
export interface Shell {
  readonly folder: string;
  run(script: string): Promise<string>;
}

export const shellOf = (folder: string, inside: readonly string[]): Shell => {
  const [program, ...words] = [...inside, 'bash', '-euo', 'pipefail', '-c'];
  return { folder, run: (script) => run(program!, [...words, `cd ${folder}\n${script}`]) };
};

/** The shell of a cluster that exists. `programs` has kubectl and helm. */
export const shellWith = (folder: string, kubeconfig: string, programs: string): Shell =>
  shellOf(folder, ['env', `KUBECONFIG=${kubeconfig}`, `PATH=${programs}:${process.env['PATH']}`]);
