// A bouncing ball, and everything that an FMU can do wrong: for the tests of varwire, in both versions of FMI.
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WELL, CRASH, HANG, EXIT, FLOOD, FAIL, TERMINATE, ABORT, REFUSE, PART, STUCK, GARBAGE, NO_STATUS, DEEP, THREAD, TRAP, UPSET, CRASH_ENDED, CRASH_FREED, HEAP, LATER, PRINT, CRASH_SAVED, CRASH_LOADED, WANT };

typedef struct {
  double time, h, v, g, e, u, next_tick;
  double ticked, last_tick, countdown, asked;
  int bounces, mode, gear, on, in_event, ticks;
  long long big;
  float single;
  double list[3];
  double nominal, matrix[6];
  unsigned long long offset;
  int is_stepping, is_set, has_failed, wanted, instance;
  char label[2048];
  void *env;
  void *log;
} Model;

// A global of the library.
static int instances;

static void start(Model *m) {
  m->instance = ++instances;
  m->nominal = 1;
  m->offset = 100;
  for (int i = 0; i < 6; i++) m->matrix[i] = i + 1;
  m->h = 1;
  m->g = -9.81;
  m->e = 0.7;
  m->gear = 1;
  m->big = 9007199254740993LL;
  m->next_tick = 0.25;
  m->single = 0.5f;
  for (int i = 0; i < 3; i++) m->list[i] = i + 1;
  strcpy(m->label, "plant");
}

static void bounce(Model *m) {
  m->h = 0;
  m->v = -m->e * m->v;
  m->bounces++;
}

// Flies on a parabola, and bounces at the exact time.
static void fly(Model *m, double seconds) {
  while (seconds > 0) {
    if (m->h <= 0 && fabs(m->v) < 1e-3) {
      m->h = m->v = 0;
      m->time += seconds;
      return;
    }
    double root = m->v * m->v - 2 * m->g * m->h;
    double hit = (-m->v - sqrt(root > 0 ? root : 0)) / m->g;
    double part = hit > 1e-12 && hit <= seconds ? hit : seconds;
    m->h += m->v * part + 0.5 * m->g * part * part;
    m->v += m->g * part;
    m->time += part;
    seconds -= part;
    if (part == hit) bounce(m);
  }
}

// How far a step goes: not at all when it is long, half of it, or never.
static double reach(Model *m, double step) {
  if ((m->mode == REFUSE && step > 0.03) || m->mode == STUCK) return 0;
  return m->mode == PART && step > 0.03 ? step / 2 : step;
}

static void deep(void) {
  volatile char bytes[8 << 20];
  for (int i = 0; i < sizeof bytes; i += 4096) bytes[i] = 1;
}

// As mathematics libraries do: what is no number ends the process.
static void trap(void) {
  volatile double nothing = 0;
#if defined(__x86_64__) && defined(__GLIBC__)
  feenableexcept(FE_DIVBYZERO);
#endif
  nothing = 1 / nothing;
  // Where the processor has no traps.
  raise(SIGFPE);
}

static void ignore(int signal) {}

// Changes what belongs to the whole process, and shows where it is then.
static void upset(Model *m) {
  if (chdir("/") != 0) return;
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) setlocale(LC_ALL, "C.UTF-8");
  setenv("TZ", "Asia/Tokyo", 1);
  for (int number = 1; number < 32; number++)
    if (number != SIGSEGV) signal(number, ignore);
  if (!getcwd(m->label, sizeof m->label)) strcpy(m->label, "nowhere");
}

// The compiler does not see that it is null.
static int *volatile nowhere;

static void crash_if(Model *m, int mode) {
  if (m->mode == mode) *nowhere = 1;
}

static void damage_heap(void) {
  // The compiler does not see that they are one.
  char *volatile block = malloc(2000), *volatile same = block;
  free(block);
  free(same);
}

static void *crash_aside(void *unused) {
  usleep(20000);
  *nowhere = 1;
  return 0;
}

static void crash_later(void) {
  pthread_t thread;
  pthread_create(&thread, 0, crash_aside, 0);
  pthread_detach(thread);
}

static void print_much(void) {
  for (int i = 0; i < 2000; i++) {
    puts("one of many lines");
    fputs("one of many complaints\n", stderr);
  }
}

// After an error nobody may call it, and in steps nobody may get values between a set and the next step.
static int barred(Model *m) {
  if (m->has_failed) *nowhere = 1;
  return m->is_set ? 3 : 0;
}

// What the step of an integrator wants once: a jump of the speed.
static int wants(Model *m) {
  if (m->mode != WANT || m->wanted || m->v > -1) return 0;
  m->wanted = 1;
  return 1;
}
static int granted(Model *m) {
  if (m->wanted != 1) return 0;
  m->wanted = 2;
  m->ticks += 1000;
  m->v = 0;
  return 1;
}

// The first line of a file of the resources.
static const char *resource(const char *directory, const char *name) {
  static char line[100];
  char path[4096];
  snprintf(path, sizeof path, "%s%s", directory, name);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) strcpy(line, "nothing");
  if (file) fclose(file);
  return line;
}

// Never returns; a file whose path is the label shows that it has begun.
static void hang(Model *m) {
  FILE *file = m->label[0] == '/' ? fopen(m->label, "w") : 0;
  if (file) fclose(file);
  for (;;) usleep(1000);
}

static void misbehave(Model *m) {
  if (m->mode == HEAP) damage_heap();
  if (m->mode == LATER) crash_later();
  if (m->mode == PRINT) print_much();
  if (m->mode == DEEP) deep();
  crash_if(m, CRASH);
  if (m->mode == TRAP) trap();
  if (m->mode == UPSET) upset(m);
  if (m->mode == HANG) hang(m);
  if (m->mode == EXIT) exit(3);
  // The pipe to the simulation.
  if (m->mode == GARBAGE) write(4, "\377\377\377\377\377\377\377\377 is no answer, and it is longer than a head", 52);
  if (m->mode == ABORT) abort();
}
