// Load client of the benchmarks: takes what a server sends to many sessions, or times one question after the other.
//   load fan PORT PID SESSIONS SECONDS CUT VALUES SETUP...   CUT: line, binary, event or websocket; VALUES in an update
//   load ask PORT PID ROUNDS SETUP QUESTION                  a question after each answer, which is a line
// SETUP and QUESTION are files with the bytes to send; session i sends the setup i modulo their number.
// Prints one line of JSON; CPU time and resident memory are those of process PID.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SETTLE_SECONDS 3.0
#define MAX_GAPS (1 << 21)
#define MAX_EVENTS 256

struct text {
  char *bytes;
  size_t length;
};

/* What is known of the update that is arriving. */
struct session {
  int socket;
  long updates, bytes;
  double first_seconds, last_seconds;
  unsigned char head[14];
  int head_bytes;
  uint64_t body_bytes;
  long values;
  char previous;
};

static double gaps[MAX_GAPS];
static long gap_count;
static char received[1 << 20];

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Seconds that all threads of a process have run. */
static double cpu_seconds(int pid) {
  char name[300];
  snprintf(name, sizeof name, "/proc/%d/task", pid);
  DIR *threads = opendir(name);
  if (!threads) return 0;
  double nanoseconds = 0;
  for (struct dirent *thread; (thread = readdir(threads));) {
    snprintf(name, sizeof name, "/proc/%d/task/%.20s/schedstat", pid, thread->d_name);
    FILE *file = thread->d_name[0] == '.' ? NULL : fopen(name, "r");
    double ran = 0;
    if (file && fscanf(file, "%lf", &ran) == 1) nanoseconds += ran;
    if (file) fclose(file);
  }
  closedir(threads);
  return nanoseconds * 1e-9;
}

static long resident_kilobytes(int pid) {
  char name[64], line[256];
  long kilobytes = 0;
  snprintf(name, sizeof name, "/proc/%d/status", pid);
  FILE *file = fopen(name, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file) && sscanf(line, "VmRSS: %ld", &kilobytes) != 1) continue;
  fclose(file);
  return kilobytes;
}

static struct text read_file(const char *name) {
  struct text text = {NULL, 0};
  FILE *file = fopen(name, "rb");
  if (!file) fail(name);
  fseek(file, 0, SEEK_END);
  text.length = ftell(file);
  rewind(file);
  text.bytes = malloc(text.length + 1);
  if (fread(text.bytes, 1, text.length, file) != text.length) fail(name);
  fclose(file);
  return text;
}

static int dial(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int peer = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (peer < 0 || connect(peer, (struct sockaddr *)&address, sizeof address)) fail("connect");
  setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return peer;
}

static void send_all(int peer, struct text text) {
  while (text.length > 0) {
    ssize_t sent = write(peer, text.bytes, text.length);
    if (sent < 0) fail("write");
    text.bytes += sent;
    text.length -= sent;
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Each cut returns how many updates end in the bytes that have come. */
typedef long cut_function(struct session *, const char *, size_t, long values);

static long cut_lines(struct session *session, const char *bytes, size_t length, long values) {
  (void)session, (void)values;
  long lines = 0;
  for (const char *end = bytes + length; (bytes = memchr(bytes, '\n', end - bytes)); bytes++) lines++;
  return lines;
}

/* An event ends with a blank line. */
static long cut_events(struct session *session, const char *bytes, size_t length, long values) {
  (void)values;
  long events = 0;
  for (const char *at = bytes, *end = bytes + length; (at = memchr(at, '\n', end - at)); at++) {
    char before = at == bytes ? session->previous : at[-1];
    if (before == '\n') events++;
  }
  session->previous = bytes[length - 1];
  return events;
}

/* Takes a header that grows until `size_of` knows the body's length, then the body; `ended` tells what an end is worth. */
static long cut_headed(struct session *s, const char *bytes, size_t length, int (*size_of)(struct session *),
                       long (*ended)(struct session *)) {
  long count = 0;
  for (size_t at = 0; at < length;) {
    if (size_of(s)) {
      uint64_t taken = length - at < s->body_bytes ? length - at : s->body_bytes;
      s->body_bytes -= taken;
      at += taken;
      if (s->body_bytes > 0) continue;
      count += ended(s);
      s->head_bytes = 0;
    } else {
      s->head[s->head_bytes++] = bytes[at++];
      s->body_bytes = UINT64_MAX;
    }
  }
  return count;
}

static long values_in_update;

/* Indicator, size of the rest and number of values, each 4 bytes. */
static int binary_size(struct session *s) {
  uint32_t size;
  if (s->head_bytes < 12) return 0;
  memcpy(&size, s->head + 4, 4);
  if (s->body_bytes == UINT64_MAX) s->body_bytes = size - 8;
  return 1;
}

static long binary_ended(struct session *s) {
  uint32_t count;
  memcpy(&count, s->head + 8, 4);
  s->values += count;
  if (s->values < values_in_update) return 0;
  s->values = 0;
  return 1;
}

static long cut_binary(struct session *session, const char *bytes, size_t length, long values) {
  values_in_update = values;
  return cut_headed(session, bytes, length, binary_size, binary_ended);
}

/* What a server sends is not masked. */
static int websocket_size(struct session *s) {
  if (s->head_bytes < 2) return 0;
  int kind = s->head[1] & 127, needed = kind == 127 ? 10 : kind == 126 ? 4 : 2;
  if (s->head_bytes < needed) return 0;
  if (s->body_bytes != UINT64_MAX) return 1;
  s->body_bytes = needed == 2 ? kind : 0;
  for (int i = 2; i < needed; i++) s->body_bytes = s->body_bytes << 8 | s->head[i];
  return 1;
}

static long websocket_ended(struct session *s) {
  (void)s;
  return 1;
}

static long cut_websocket(struct session *session, const char *bytes, size_t length, long values) {
  (void)values;
  return cut_headed(session, bytes, length, websocket_size, websocket_ended);
}

static cut_function *cut_named(const char *name) {
  if (!strcmp(name, "binary")) return cut_binary;
  if (!strcmp(name, "event")) return cut_events;
  return !strcmp(name, "websocket") ? cut_websocket : cut_lines;
}

/* Drops the answer to an HTTP upgrade, which comes before the first message. */
static void skip_upgrade(int peer) {
  char last[4] = "";
  while (memcmp(last, "\r\n\r\n", 4)) {
    memmove(last, last + 1, 3);
    if (read(peer, last + 3, 1) != 1) fail("upgrade");
  }
}

static void note_updates(struct session *session, long updates, double seconds) {
  if (updates == 0) return;
  if (session->updates == 0) session->first_seconds = seconds;
  else if (gap_count < MAX_GAPS) gaps[gap_count++] = seconds - session->last_seconds;
  session->updates += updates;
  session->last_seconds = seconds;
}

static void start_counting(struct session *sessions, int count) {
  gap_count = 0;
  for (int i = 0; i < count; i++) sessions[i].updates = sessions[i].bytes = 0;
}

static void take(int poll, struct session *session, cut_function *cut, long values) {
  ssize_t length = read(session->socket, received, sizeof received);
  if (length < 0 && errno == EAGAIN) return;
  if (length <= 0) {
    fprintf(stderr, "the server has closed a session\n");
    epoll_ctl(poll, EPOLL_CTL_DEL, session->socket, NULL);
    return;
  }
  session->bytes += length;
  note_updates(session, cut(session, received, length, values), now());
}

static void print_fan(const struct session *sessions, int count, long values, double seconds, double cpu, int pid) {
  double updates = 0, bytes = 0, slowest = -1;
  for (int i = 0; i < count; i++) {
    const struct session *s = &sessions[i];
    double hertz = s->updates > 1 ? (s->updates - 1) / (s->last_seconds - s->first_seconds) : 0;
    if (slowest < 0 || hertz < slowest) slowest = hertz;
    updates += s->updates;
    bytes += s->bytes;
  }
  qsort(gaps, gap_count, sizeof *gaps, by_size);
  printf("{\"seconds\":%.4f,\"values\":%.0f,\"bytes\":%.0f,\"hertz\":%.3f,\"slowestHertz\":%.3f,\"cpuSeconds\":%.6f,"
         "\"gapP50Millis\":%.3f,\"gapP99Millis\":%.3f,\"gapMaxMillis\":%.3f,\"residentKilobytes\":%ld}\n",
         seconds, updates * values, bytes, updates / seconds / count, slowest, cpu,
         gap_count ? gaps[gap_count / 2] * 1e3 : 0, gap_count ? gaps[gap_count * 99 / 100] * 1e3 : 0,
         gap_count ? gaps[gap_count - 1] * 1e3 : 0, resident_kilobytes(pid));
}

static void fan(int port, int pid, char **rest) {
  int count = atoi(rest[0]), setup_count = 0;
  double seconds = atof(rest[1]);
  cut_function *cut = cut_named(rest[2]);
  long values = atol(rest[3]);
  struct text setups[64];
  for (; rest[4 + setup_count] && setup_count < 64; setup_count++) setups[setup_count] = read_file(rest[4 + setup_count]);
  struct session *sessions = calloc(count, sizeof *sessions);
  int poll = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    int peer = sessions[i].socket = dial(port);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &sessions[i]};
    send_all(peer, setups[i % setup_count]);
    if (cut == cut_websocket) skip_upgrade(peer);
    fcntl(peer, F_SETFL, O_NONBLOCK);
    epoll_ctl(poll, EPOLL_CTL_ADD, peer, &event);
  }
  double start = now() + SETTLE_SECONDS, cpu = 0;
  int is_counting = 0;
  for (double at = now(); at < start + seconds; at = now()) {
    if (!is_counting && at >= start) {
      is_counting = 1;
      start = at;
      cpu = cpu_seconds(pid);
      start_counting(sessions, count);
    }
    struct epoll_event ready[MAX_EVENTS];
    int ready_count = epoll_wait(poll, ready, MAX_EVENTS, 20);
    for (int i = 0; i < ready_count; i++) take(poll, ready[i].data.ptr, cut, values);
  }
  print_fan(sessions, count, values, now() - start, cpu_seconds(pid) - cpu, pid);
}

static void ask(int port, int pid, char **rest) {
  int rounds = atoi(rest[0]), peer = dial(port);
  struct text question = read_file(rest[2]);
  double *times = calloc(rounds, sizeof *times), cpu = cpu_seconds(pid);
  send_all(peer, read_file(rest[1]));
  usleep(400000);
  for (int i = 0; i < rounds; i++) {
    double start = now();
    send_all(peer, question);
    for (ssize_t length = 0; length <= 0 || received[length - 1] != '\n';) {
      length = read(peer, received, sizeof received);
      if (length <= 0) fail("read");
    }
    times[i] = now() - start;
  }
  qsort(times, rounds, sizeof *times, by_size);
  printf("{\"p50Millis\":%.4f,\"p99Millis\":%.4f,\"maxMillis\":%.4f,\"cpuSeconds\":%.6f}\n", times[rounds / 2] * 1e3,
         times[rounds * 99 / 100] * 1e3, times[rounds - 1] * 1e3, cpu_seconds(pid) - cpu);
}

int main(int count, char **arguments) {
  if (count < 7) return 2;
  int port = atoi(arguments[2]), pid = atoi(arguments[3]);
  if (!strcmp(arguments[1], "fan") && count > 8) fan(port, pid, arguments + 4);
  else if (!strcmp(arguments[1], "ask")) ask(port, pid, arguments + 4);
  else return 2;
  return 0;
}
