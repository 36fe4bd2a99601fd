//! Brute force: every pair of bodies asked of the library's verbs, with shapes and pairs made from the description anew.

use std::collections::HashSet;

use clearance::{Body, Cache, Closest, Mesh, MeshOptions, Pose, Shape, Vec3, closest, overlap};
use clearance_robot::{Geometry, MeshUse, Robot};
use clearance_testkit::surfaces;

/// The bodies of a robot and of its surroundings, and the pairs to be checked.
pub struct Oracle {
    robot: Robot,
    bodies: Vec<(Option<usize>, Body, Pose)>,
    pairs: Vec<[usize; 2]>,
    links: usize,
}

impl Oracle {
    pub fn new(robot: &Robot, surroundings: &[(Body, Pose)], padding: f64, meshes: MeshUse) -> Self {
        let mut bodies = Vec::new();
        for (index, link) in robot.urdf().links.iter().enumerate() {
            for collision in &link.collisions {
                let (body, origin) = body(&collision.geometry, &collision.origin, meshes);
                bodies.push((Some(index), body.padded(padding).unwrap(), origin));
            }
        }
        bodies.extend(surroundings.iter().map(|(body, pose)| (None, body.clone(), *pose)));
        let links = robot.urdf().links.len();
        let joined = robot.urdf().joints.iter().map(|joint| [joint.parent, joint.child]);
        let index = |name: &String| robot.link_index(name).unwrap();
        let disabled = robot.srdf().disabled.iter().map(|[a, b]| [index(a), index(b)]);
        let allowed: HashSet<[usize; 2]> = joined.chain(disabled).flat_map(|[a, b]| [[a, b], [b, a]]).collect();
        // Links that no joint moves against each other.
        let rigid = rigid_groups(robot);
        let is_checked = |[i, j]: &[usize; 2]| match (bodies[*i].0, bodies[*j].0) {
            (None, None) => false,
            (Some(a), Some(b)) => a != b && !allowed.contains(&[a, b]) && rigid[a] != rigid[b],
            _ => true,
        };
        let all = (0..bodies.len()).flat_map(|i| (i + 1..bodies.len()).map(move |j| [i, j]));
        let pairs = all.filter(is_checked).collect();
        Self { robot: robot.clone(), bodies, pairs, links }
    }

    fn placed(&self, q: &[f64]) -> Vec<Pose> {
        let links = self.robot.link_poses(q).unwrap();
        let place =
            |(link, _, pose): &(Option<usize>, Body, Pose)| link.map_or(*pose, |link| links[link].compose(pose));
        self.bodies.iter().map(place).collect()
    }

    /// The number of a body's link, or of the body of the surroundings.
    fn owner(&self, body: usize) -> u32 {
        let links_of_robot = self.bodies.iter().filter(|(link, ..)| link.is_some()).count();
        self.bodies[body].0.unwrap_or_else(|| self.links + body - links_of_robot) as u32
    }

    /// All pairs that have a point in common, by their owners.
    pub fn meeting(&self, q: &[f64]) -> Vec<[u32; 2]> {
        let poses = self.placed(q);
        let meets = |[i, j]: &&[usize; 2]| {
            overlap(&self.bodies[*i].1, &poses[*i], &self.bodies[*j].1, &poses[*j], &mut Cache::default()).overlap
        };
        self.pairs.iter().filter(meets).map(|[i, j]| [self.owner(*i), self.owner(*j)]).collect()
    }

    /// Whether any pair has.
    pub fn collides(&self, q: &[f64]) -> bool {
        let poses = self.placed(q);
        self.pairs.iter().any(|[i, j]| {
            overlap(&self.bodies[*i].1, &poses[*i], &self.bodies[*j].1, &poses[*j], &mut Cache::default()).overlap
        })
    }

    /// The signed distances of all pairs that joints move, the least first.
    pub fn distances(&self, q: &[f64]) -> Vec<Closest> {
        let poses = self.placed(q);
        let rigid = rigid_groups(&self.robot);
        let root = rigid
            [(0..self.links).find(|&link| self.robot.urdf().joints.iter().all(|joint| joint.child != link)).unwrap()];
        let moves = |[i, j]: &&[usize; 2]| {
            let group = |body: usize| self.bodies[body].0.map_or(root, |link| rigid[link]);
            group(*i) != group(*j)
        };
        let mut all: Vec<Closest> = self
            .pairs
            .iter()
            .filter(moves)
            .map(|[i, j]| {
                closest(&self.bodies[*i].1, &poses[*i], &self.bodies[*j].1, &poses[*j], &mut Cache::default())
            })
            .collect();
        all.sort_by(|x, y| x.distance.total_cmp(&y.distance));
        all
    }

    /// The least distance of all pairs over every pair of triangles, without a verb of the library; zero where two solids have a point in
    /// common. All bodies are solid meshes.
    pub fn distance_by_triangles(&self, q: &[f64]) -> f64 {
        let placed: Vec<Vec<[Vec3; 3]>> =
            self.bodies.iter().zip(self.placed(q)).map(|((_, body, _), pose)| triangles(body, &pose)).collect();
        let mut least = f64::INFINITY;
        for &[i, j] in &self.pairs {
            let (a, b) = (&placed[i], &placed[j]);
            let is_inside = |inner: &[[Vec3; 3]], outer: &[[Vec3; 3]]| surfaces::winding(outer, inner[0][0]) > 0.5;
            least = least.min(surfaces::distance(a, b));
            if least == 0.0 || is_inside(a, b) || is_inside(b, a) {
                return 0.0;
            }
        }
        least
    }
}

/// The triangles of a mesh in its place.
fn triangles(body: &Body, pose: &Pose) -> Vec<[Vec3; 3]> {
    let Body::Mesh(mesh) = body else { panic!("not a mesh") };
    let place = |corners: [Vec3; 3]| corners.map(|corner| pose.point(corner));
    (0..mesh.triangle_count() as u32).map(|nth| place(mesh.triangle(nth).0)).collect()
}

/// For each link the first link that it is rigidly joined to.
fn rigid_groups(robot: &Robot) -> Vec<usize> {
    let urdf = robot.urdf();
    let moves = |joint: &clearance_robot::JointDescription| {
        let name = joint.mimic.map_or(&joint.name, |mimic| &urdf.joints[mimic.joint].name);
        robot.joints().iter().any(|known| known.name == *name)
    };
    let mut group: Vec<usize> = (0..urdf.links.len()).collect();
    for _ in 0..urdf.links.len() {
        for joint in urdf.joints.iter().filter(|joint| !moves(joint)) {
            let least = group[joint.parent].min(group[joint.child]);
            (group[joint.parent], group[joint.child]) = (least, least);
        }
    }
    group
}

fn body(geometry: &Geometry, origin: &Pose, meshes: MeshUse) -> (Body, Pose) {
    let shape = match geometry {
        Geometry::Box { size: [x, y, z] } => Shape::cuboid([x / 2.0, y / 2.0, z / 2.0]),
        Geometry::Cylinder { radius, length } => Shape::cylinder(length / 2.0, *radius),
        Geometry::Sphere { radius } => Shape::sphere(*radius),
        Geometry::Capsule { radius, length } => {
            let up = Pose::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2).unwrap();
            return (Shape::capsule(length / 2.0, *radius).unwrap().into(), origin.compose(&up));
        }
        Geometry::Mesh { file, .. } => {
            let folder = super::robots::panda_folder().unwrap();
            let path = folder.join("meshes").join(file.rsplit('/').next().unwrap());
            let surface = clearance_io::read(path).unwrap().merged();
            if meshes == MeshUse::Hull {
                return (Shape::polytope(&surface.vertices).unwrap().into(), *origin);
            }
            let options =
                MeshOptions { weld: true, drop_degenerate: true, drop_unused: true, ..MeshOptions::default() };
            return (Mesh::with_options(&surface.vertices, &surface.triangles, &options).unwrap().into(), *origin);
        }
    };
    (shape.unwrap().into(), *origin)
}
