// What a process has used, read from /proc.
#ifndef CURLEW_BENCH_LOAD_PROCESS_USAGE_H_
#define CURLEW_BENCH_LOAD_PROCESS_USAGE_H_

namespace curlew::bench {

// User and system time so far, in milliseconds; 0 when there is no such process.
double CpuMillis(int pid);
// Bytes that it has had written to disks, or that wait for it: what was deleted before that is
// taken off.
double WrittenBytes(int pid);
// Resident memory in megabytes.
double RssMegabytes(int pid);

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_LOAD_PROCESS_USAGE_H_
