"""What the text of a kernel that is cut is made of (cut.py): loops over blocks, and over a block's threads."""

DECLARED = """
declare ptr @umsim_keep(i64, i64) nounwind
declare void @umsim_keep_end(ptr) nounwind
declare void @umsim_poll_yield() convergent
"""
HEAD = """entry:
  %um.pz = getelementptr i8, ptr %g, i64 20
  %um.py = getelementptr i8, ptr %g, i64 16
  %um.px = getelementptr i8, ptr %g, i64 12
  %um.lz = load i32, ptr %um.pz
  %um.ly = load i32, ptr %um.py
  %um.lx = load i32, ptr %um.px
  %um.nz = and i32 %um.lz, 127
  %um.ny = and i32 %um.ly, 2047
  %um.nx = and i32 %um.lx, 2047
  %um.plane = mul nuw nsw i32 %um.ny, %um.nx
  %um.all = mul nuw nsw i32 %um.plane, %um.nz
  %um.threads = zext i32 %um.all to i64
  %um.g.y = getelementptr i8, ptr %g, i64 4
  %um.gx.w = load i32, ptr %g
  %um.gy.w = load i32, ptr %um.g.y
  %um.gx = zext i32 %um.gx.w to i64
  %um.gy = zext i32 %um.gy.w to i64
"""
# How many blocks are run together: one, or, of a kernel without barriers, as many as have so many threads.
TOGETHER = 16384
ONE = "  %um.size = add i64 0, 1\n"
GROUP = f"""  %um.fit = udiv i64 {TOGETHER}, %um.threads
  %um.none = icmp eq i64 %um.fit, 0
  %um.size = select i1 %um.none, i64 1, i64 %um.fit
"""
BLOCKS = """  %um.any = icmp ult i64 %first, %last
  br i1 %um.any, label %um.block, label %um.end
um.block:
  %um.n = phi i64 [ %first, %entry ], [ %um.next, %um.block.end ]
"""
# A block's indices: from its number %{n} to %bx, %by and %bz.
INDICES = """  %{n}.line = udiv i64 %{n}, %um.gx
  %{n}.x = urem i64 %{n}, %um.gx
  %{n}.z = udiv i64 %{n}.line, %um.gy
  %{n}.y = urem i64 %{n}.line, %um.gy
  %bx{s} = trunc i64 %{n}.x to i32
  %by{s} = trunc i64 %{n}.y to i32
  %bz{s} = trunc i64 %{n}.z to i32
"""
TAKE = """  %um.left = sub i64 %last, %um.n
  %um.full = icmp ult i64 %um.size, %um.left
  %um.take = select i1 %um.full, i64 %um.size, i64 %um.left
"""
END = """um.block.end:
  %um.next = add nuw i64 %um.n, %um.size
  %um.more = icmp ult i64 %um.next, %last
  br i1 %um.more, label %um.block, label %um.end
um.end:
"""
# A region: {group} and {group_end} are loops over blocks, where several are run together.
REGION = """{r}.begin:
{before}{group}  br label %{r}.plane
{r}.plane:
  %z.{n} = phi i32 [ 0, %{r}.{outside} ], [ %z1.{n}, %{r}.plane.end ]
  %zy.{n} = mul nuw nsw i32 %z.{n}, %um.ny
  br label %{r}.row
{r}.row:
  %y.{n} = phi i32 [ 0, %{r}.plane ], [ %y1.{n}, %{r}.row.end ]
  %zyy.{n} = add nuw nsw i32 %zy.{n}, %y.{n}
  %row.{n} = mul nuw nsw i32 %zyy.{n}, %um.nx
  br label %{r}.thread
{r}.thread:
  %x.{n} = phi i32 [ 0, %{r}.row ], [ %x1.{n}, %{r}.next ]
  %at.{n} = add nuw nsw i32 %row.{n}, %x.{n}
  %in.{n} = zext i32 %at.{n} to i64
{body}{r}.next:
{alive}  %x1.{n} = add nuw nsw i32 %x.{n}, 1
  %more.x.{n} = icmp slt i32 %x1.{n}, %um.nx
  br i1 %more.x.{n}, label %{r}.thread, label %{r}.row.end
{r}.row.end:
  %y1.{n} = add nuw nsw i32 %y.{n}, 1
  %more.y.{n} = icmp slt i32 %y1.{n}, %um.ny
  br i1 %more.y.{n}, label %{r}.row, label %{r}.plane.end
{r}.plane.end:
  %z1.{n} = add nuw nsw i32 %z.{n}, 1
  %more.z.{n} = icmp slt i32 %z1.{n}, %um.nz
  br i1 %more.z.{n}, label %{r}.plane, label %{r}.{behind}
{group_end}{r}.after:
{after}"""
IN_BLOCK = "  %lin.{n} = add i64 %in.{n}, 0\n"
IN_GROUP = "  %lin.{n} = add nuw nsw i64 %base.{n}, %in.{n}\n"
EACH_BLOCK = """  br label %{r}.group
{r}.group:
  %b.{n} = phi i64 [ 0, %{r}.begin ], [ %b1.{n}, %{r}.group.end ]
  %base.{n} = mul nuw nsw i64 %b.{n}, %um.threads
  %bn.{n} = add nuw i64 %um.n, %b.{n}
"""
NEXT_BLOCK = """{r}.group.end:
  %b1.{n} = add nuw nsw i64 %b.{n}, 1
  %more.b.{n} = icmp ult i64 %b1.{n}, %um.take
  br i1 %more.b.{n}, label %{r}.group, label %{r}.after
"""
# A region that only asks: whether each thread stays, and whether one does.
ASK = "  store i8 1, ptr %um.stay\n  store i8 0, ptr %um.some\n"
SAID = """{r}.stays:
  store i8 1, ptr %um.some
  br label %{r}.next
{r}.leaves:
  store i8 0, ptr %um.stay
  br label %{r}.next
"""
ASKED = """  %stay.{n} = load i8, ptr %um.stay
  %stays.{n} = icmp ne i8 %stay.{n}, 0
  br i1 %stays.{n}, label %{steady}.begin, label %{r}.not.all
{r}.not.all:
  %one.{n} = load i8, ptr %um.some
  %ones.{n} = icmp ne i8 %one.{n}, 0
  br i1 %ones.{n}, label %{usual}.begin, label %{none}.begin
"""


def region(r, n, before, group, body, alive, after):
    """A region's text. @param group the beginning of a loop over blocks; "": there is one block"""
    return REGION.format(r=r, n=n, before=before, body=body, after=after, alive=alive, group=group,
                         outside="group" if group else "begin", behind="group.end" if group else "after",
                         group_end=NEXT_BLOCK.format(r=r, n=n) if group else "")
