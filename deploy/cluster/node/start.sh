#!/bin/bash
# Runs as pid 1 in namespaces of its own (mount, network, pid, host name, ipc). When it is killed, the whole node ends.
# BIN: the programs of Kubernetes; kubectl is on the PATH. DEBIAN: unpacked packages with containerd and etcd. RUN: the folder of this node, with
# pki/ and config/. CGROUP: the cgroup of the pods.
set -eu
mount --make-rprivate /
mount --make-rshared /
mount -t overlay overlay -o "lowerdir=$DEBIAN/usr:/usr" /usr
mkdir -p "$RUN"/{var,var-work,containerd,etcd,log,volumes/1,volumes/2,volumes/3,volumes/4,volumes/5,volumes/6}
mount -t overlay overlay -o "lowerdir=/var,upperdir=$RUN/var,workdir=$RUN/var-work" /var
mount -t tmpfs -o mode=755 run /run
mkdir -p /run/lock /var/lib/kubelet /var/log/pods /var/log/containers

# The kubelet sets these for the whole machine. It finds the values that it wants, and the machine keeps its own.
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  name=${setting%%=*}
  mkdir -p "$(dirname "/run/sysctl/$name")"
  echo "${setting##*=}" > "/run/sysctl/$name"
  mount --bind "/run/sysctl/$name" "/proc/sys/$name"
done

# The pods have a cgroup of their own, beside those of the machine: one for each controller, or one for all with version 2.
trees=/sys/fs/cgroup/*/
[ ! -e /sys/fs/cgroup/cgroup.controllers ] || trees=/sys/fs/cgroup/
for tree in $trees; do
  mkdir -p "$tree$CGROUP"
  for file in cpuset.cpus cpuset.mems; do
    [ ! -e "$tree$file" ] || [ -s "$tree$CGROUP/$file" ] && continue
    cat "$tree$file" > "$tree$CGROUP/$file"
  done
  # By default all pods together have the weight of one process of the machine.
  [ ! -e "$tree$CGROUP/cpu.shares" ] || echo 8192 > "$tree$CGROUP/cpu.shares"
  [ ! -e "$tree$CGROUP/cpu.weight" ] || echo 800 > "$tree$CGROUP/cpu.weight"
done

hostname node1
ip link set lo up
ip link add node0 type bridge
ip address add 172.30.0.1/24 dev node0
ip link set node0 up
# The node itself reaches the addresses of services.
ip route add 10.96.0.0/12 dev node0 src 172.30.0.1
sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0

start() {
  local name=$1
  shift
  "$@" >> "$RUN/log/$name.log" 2>&1 &
}
cd /
P=$RUN/pki
start containerd containerd -c "$RUN/config/containerd.toml"
# A test cluster loses nothing that matters with its machine.
start etcd etcd --data-dir "$RUN/etcd" --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync
start apiserver "$BIN/kube-apiserver" --etcd-servers http://127.0.0.1:2379 --advertise-address 172.30.0.1 --secure-port 6443 \
  --service-cluster-ip-range 10.96.0.0/12 --authorization-mode Node,RBAC --allow-privileged=true --profiling=false \
  --client-ca-file "$P/ca.crt" --tls-cert-file "$P/apiserver.crt" --tls-private-key-file "$P/apiserver.key" \
  --service-account-issuer https://kubernetes.default.svc.cluster.local \
  --service-account-key-file "$P/sa.pub" --service-account-signing-key-file "$P/sa.key" \
  --kubelet-client-certificate "$P/kubelet-client.crt" --kubelet-client-key "$P/kubelet-client.key" \
  --kubelet-preferred-address-types InternalIP --enable-aggregator-routing=true \
  --requestheader-client-ca-file "$P/ca.crt" --requestheader-allowed-names front-proxy --requestheader-username-headers X-Remote-User \
  --requestheader-group-headers X-Remote-Group --requestheader-extra-headers-prefix X-Remote-Extra- \
  --proxy-client-cert-file "$P/front-proxy.crt" --proxy-client-key-file "$P/front-proxy.key"
export KUBECONFIG=$P/admin.kubeconfig
until kubectl get --raw /readyz > /dev/null 2>&1; do sleep 0.5; done
start controller-manager "$BIN/kube-controller-manager" --kubeconfig "$P/controller-manager.kubeconfig" --leader-elect=false \
  --authentication-kubeconfig "$P/controller-manager.kubeconfig" --authorization-kubeconfig "$P/controller-manager.kubeconfig" \
  --service-account-private-key-file "$P/sa.key" --root-ca-file "$P/ca.crt" --use-service-account-credentials=true \
  --cluster-cidr 10.244.0.0/16 --allocate-node-cidrs=false
start scheduler "$BIN/kube-scheduler" --kubeconfig "$P/scheduler.kubeconfig" --leader-elect=false \
  --authentication-kubeconfig "$P/scheduler.kubeconfig" --authorization-kubeconfig "$P/scheduler.kubeconfig"
until [ -S /run/containerd/containerd.sock ]; do sleep 0.2; done
start kubelet "$BIN/kubelet" --config "$RUN/config/kubelet.yaml" --kubeconfig "$P/node.kubeconfig" --hostname-override node1 \
  --node-ip 172.30.0.1 --root-dir /var/lib/kubelet
start proxy "$BIN/kube-proxy" --config "$RUN/config/proxy.yaml"
while :; do wait -n || sleep 1; done
