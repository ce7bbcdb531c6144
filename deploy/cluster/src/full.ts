import { eventually } from '@tire/test-harness';
import type { Check } from './checks';
import { type Cluster, must } from './cluster';
import { type Pair, primaryLost } from './failover';
import { installByRecipes, NAMESPACES, type Servers } from './installation';
import { INSTALL_OPERATORS, VERSIONS } from './operators';

/** `--full`: the recipes of the chart's README with operators that run. The node has volumes for them. */

async function operators(cluster: Cluster): Promise<string> {
  await cluster.run(INSTALL_OPERATORS);
  return Object.entries(VERSIONS)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

async function production(cluster: Cluster, servers: Servers): Promise<string> {
  await cluster.run(`kubectl delete namespace ${NAMESPACES.join(' ')} --ignore-not-found --timeout=180s`);
  const output = await installByRecipes(cluster, servers);
  must(/uploaded, measured and published/.test(output), output);
  await cluster.startClient();
  return 'three servers of Postgres by CloudNativePG; helm test measured four photographs';
}

/** The annotation of step 8, and no command of step 6. */
async function certificate(cluster: Cluster): Promise<string> {
  const ready = `kubectl -n tire wait certificate/tire-tire-inspection-tls --for=condition=Ready --timeout=120s`;
  const secret = `kubectl -n tire get secret tire-tire-inspection-tls -o jsonpath='{.data.tls\\.crt}'`;
  const names = await cluster.run(`${ready} > /dev/null\n${secret} | base64 -d | openssl x509 -noout -ext subjectAltName`);
  must(/DNS:tire\.example\.com/.test(names), names);
  return 'issued for tire.example.com, in the secret that the Ingress names';
}

async function autoscaling(cluster: Cluster): Promise<string> {
  const current = `kubectl -n tire get horizontalpodautoscaler tire-tire-inspection-content -o jsonpath='{.status.currentMetrics[0].resource.current.averageUtilization}'`;
  const percent = await eventually(() => cluster.run(current), { timeoutMs: 180_000, pollMs: 1_000, message: 'no figure of CPU' });
  return `a HorizontalPodAutoscaler reads ${percent} % of CPU`;
}

const WAS = 'was=$(kubectl -n postgres get cluster tire -o jsonpath={.status.currentPrimary})';
const NOW = `kubectl -n postgres exec -i $(kubectl -n postgres get pod -l cnpg.io/cluster=tire,cnpg.io/instanceRole=primary -o name) -c postgres --`;

/** The operator promotes, and nothing else does. */
const CLOUD_NATIVE: Pair = {
  primary: NOW,
  standby: NOW,
  loss: `${WAS}
kubectl -n postgres delete pod $was --grace-period=0 --force 2> /dev/null
for i in $(seq 600); do
  now=$(kubectl -n postgres get cluster tire -o jsonpath={.status.currentPrimary})
  [ "$now" = "$was" ] || exit 0
  sleep 0.2
done
exit 1`,
};

export const fullOf = (servers: Servers): readonly Check[] => [
  ['the operators of the recipes start', operators],
  ['the nine steps with CloudNativePG and cert-manager', (cluster) => production(cluster, servers)],
  ['a certificate by the annotation of the Ingress', certificate],
  ['CloudNativePG: the pod of the primary lost under load', (cluster) => primaryLost(cluster, CLOUD_NATIVE)],
  ['autoscaling with metrics-server', autoscaling],
];
